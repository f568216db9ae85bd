import { sql } from '../../base/sql.ts'
import type { Expression, Operation } from '../language/expression.ts'
import type { FormulaFunction, Parameter } from './function.ts'
import { ANY } from './logic.sql.ts'
import { makeOperation, mergeFacts } from './operation.sql.ts'
import { unify } from './unify.ts'

const NO_BOOLEAN: Parameter = ['Number', 'Text', 'Date', 'DateTime', 'Time']

const isBlank = makeOperation({
  label: "function 'ISBLANK()'",
  costPerCharacter: 0,
  takesNull: true,
  evaluate: ([value]) => value === null,
  sql: ([value]) => sql`(${value!} is null)`,
})

/** A location is blank when one of its coordinates is. */
const isBlankLocation = makeOperation({
  label: "function 'ISBLANK()'",
  costPerCharacter: 0,
  takesNull: true,
  evaluate: (values) => values.includes(null),
  sql: ([latitude, longitude]) => sql`(${latitude!} is null or ${longitude!} is null)`,
})

const never = makeOperation({
  label: "function 'ISNULL()'",
  costPerCharacter: 0,
  takesNull: true,
  evaluate: () => false,
  sql: () => sql`false`,
})

function makeBlankArguments(value: Expression): readonly Expression[] {
  if (value.type !== 'Location' || value.kind !== 'reference') return [value]
  return value.target.coordinates!.map((target) => ({
    ...value,
    type: 'Number',
    target,
    facts: target.facts,
    zero: false,
  }))
}

const defineTest = (name: 'ISBLANK' | 'ISNULL', description: string): FormulaFunction => ({
  name,
  signature: `${name}(value)`,
  result: 'Boolean',
  description,
  parameters: [[...ANY, 'Location', 'Null']],
  make({ args: [value] }) {
    const isText = ['Text', 'Picklist', 'MultiPicklist'].includes(value!.type)
    const operation =
      name === 'ISNULL' && isText ? never : value!.type === 'Location' ? isBlankLocation : isBlank
    return { type: 'Boolean', facts: {}, operation, args: makeBlankArguments(value!) }
  },
})

const replaceBlank = (label: string): Operation =>
  makeOperation({
    label,
    costPerCharacter: 0,
    takesNull: true,
    evaluate: ([value, other]) => value ?? other,
    sql: ([value, other]) => sql`coalesce(${value!}, ${other!})`,
  })

const keepText = makeOperation({
  label: "function 'NULLVALUE()'",
  costPerCharacter: 0,
  takesNull: true,
  evaluate: ([value]) => value,
  sql: ([value]) => value!,
})

function defineReplacement(name: 'BLANKVALUE' | 'NULLVALUE', description: string): FormulaFunction {
  const label = `function '${name}()'`
  const operation = replaceBlank(label)
  return {
    name,
    signature: `${name}(value, other)`,
    result: 'type of the values',
    description,
    parameters: [NO_BOOLEAN, NO_BOOLEAN],
    make({ args }) {
      const [value, other] = unify(args, label) as [Expression, Expression]
      const isKept = name === 'NULLVALUE' && value.type === 'Text'
      return {
        type: value.type,
        facts: mergeFacts([value.facts, other.facts]),
        operation: isKept ? keepText : operation,
        args: [value, other],
      }
    },
  }
}

export const BLANK_FUNCTIONS: readonly FormulaFunction[] = [
  defineTest('ISBLANK', 'Whether there is no value. A number is never blank where blanks count as zero.'),
  defineTest('ISNULL', 'The same, but never true for a text.'),
  defineReplacement('BLANKVALUE', 'The value, or another one if it is blank.'),
  defineReplacement('NULLVALUE', 'The same, but never replaces a text.'),
]
