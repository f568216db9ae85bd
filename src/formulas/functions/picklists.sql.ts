import { sql } from '../../base/sql.ts'
import type { Expression } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import { Decimal } from '../values/number.ts'
import type { FormulaFunction } from './function.ts'
import { makeOperation } from './operation.sql.ts'

/** Stands between the values of a multi-select picklist. */
const SEPARATOR = ';'

function requireLiteral(expression: Expression, label: string): void {
  if (expression.kind === 'literal' && expression.type === 'Text') return
  const message = `Incorrect parameter type for ${label}. Expected Text Literal, received ${expression.type}`
  throw new FormulaError(message, expression.at)
}

const isValue = makeOperation({
  label: "function 'ISPICKVAL()'",
  costPerCharacter: 8,
  takesNull: true,
  evaluate: ([value, other]) => value === other,
  sql: ([value, other], [, literal]) =>
    literal!.kind === 'literal' && literal!.value === null
      ? sql`(${value!} is null)`
      : sql`(coalesce(${value!}, '') = ${other!})`,
})

const includes = makeOperation({
  label: "function 'INCLUDES()'",
  takesNull: true,
  evaluate: ([value, other]: (string | null)[]) =>
    value !== null && value!.split(SEPARATOR).includes(other ?? ''),
  sql: ([value, other]) =>
    sql`(coalesce(strpos(';' || ${value!} || ';', ';' || coalesce(${other!}, '') || ';'), 0) > 0)`,
})

export const PICKLIST_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: 'ISPICKVAL',
    signature: 'ISPICKVAL(picklist, "value")',
    result: 'Boolean',
    description: 'Whether a picklist has a value, which is written as a text; "" for none.',
    parameters: [['Picklist'], ['Text']],
    make({ args, label }) {
      requireLiteral(args[1]!, label)
      return { type: 'Boolean', facts: {}, operation: isValue }
    },
  },
  {
    name: 'INCLUDES',
    signature: 'INCLUDES(multipicklist, "value")',
    result: 'Boolean',
    description: 'Whether a multi-select picklist has one of its values, which is written as a text.',
    parameters: [['MultiPicklist'], ['Text']],
    make({ args: [picklist, literal], label }) {
      requireLiteral(literal!, label)
      const values = picklist!.kind === 'reference' ? picklist!.target.picklist : undefined
      const value = literal!.kind === 'literal' ? (literal!.value as string | null) : null
      if (values !== undefined && value !== null && !values.includes(value)) {
        throw new FormulaError(
          `Incorrect parameter for function INCLUDES(). Text Literal must be a valid value for this multi-select picklist field.`,
          literal!.at,
        )
      }
      return { type: 'Boolean', facts: {}, operation: includes }
    },
  },
  {
    name: 'PICKLISTCOUNT',
    signature: 'PICKLISTCOUNT(multipicklist)',
    result: 'Number',
    description: 'How many values a multi-select picklist has.',
    parameters: [['MultiPicklist']],
    make: () => ({
      type: 'Number',
      facts: { scale: 0, digits: 4 },
      operation: makeOperation({
        label: "function 'PICKLISTCOUNT()'",
        takesNull: true,
        evaluate: ([value]: (string | null)[]) =>
          new Decimal(value === null ? 0 : value!.split(SEPARATOR).length),
        sql: ([value]) =>
          sql`coalesce(length(${value!}) - length(replace(${value!}, ';', '')) + 1, 0)::numeric`,
      }),
    }),
  },
]
