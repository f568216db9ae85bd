import { sql } from '../../base/sql.ts'
import type { Expression, Operation, Reference } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import { Decimal } from '../values/number.ts'
import type { FormulaFunction } from './function.ts'
import { ANY } from './logic.sql.ts'

/** Functions of validation rules, which compare a record with what it was. They are only evaluated in the process. */

const RULES = ['rule'] as const

/** A rule has no SQL: a record that is not stored yet has no row. */
const notInSql: Operation['toSql'] = () => ({ value: sql`null`, isNullOnFailure: true })

function requireOwnField(expression: Expression, name: string): asserts expression is Reference {
  if (expression.kind === 'reference' && expression.target.isOwn === true) {
    if (expression.target.formula === undefined) return
    const message = `The ${name} function cannot reference the ${expression.target.name} field.`
    throw new FormulaError(message, expression.at)
  }
  const received = expression.kind === 'reference' ? expression.target.name : expression.type
  throw new FormulaError(
    `Incorrect parameter type for function '${name}()'. Expected field name, received ${received}`,
    expression.at,
  )
}

const settled = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value)

const isChanged: Operation = {
  label: "function 'ISCHANGED()'",
  places: RULES,
  isImmutable: false,
  evaluate([field], _run, scope) {
    if (scope.isNew) return false
    const { target } = field as Reference
    const [now, before] = [scope.read(target, true), scope.readPrior!(target)]
    if (now instanceof Decimal && before instanceof Decimal) return !now.eq(before)
    return settled(now) !== settled(before)
  },
  toSql: notInSql,
}

const priorValue: Operation = {
  label: "function 'PRIORVALUE()'",
  places: RULES,
  isImmutable: false,
  evaluate([field], _run, scope) {
    const { target } = field as Reference
    const value = scope.isNew ? scope.read(target, false) : scope.readPrior!(target)
    if (value instanceof Decimal && target.isPercent === true) return value.times('0.01')
    return typeof value === 'string' && target.facts.isId === true ? value.slice(0, 15) : value
  },
  toSql: notInSql,
}

const makeConstant = (name: string, evaluate: Operation['evaluate']): Operation => ({
  label: `function '${name}()'`,
  places: RULES,
  isImmutable: false,
  evaluate,
  toSql: notInSql,
})

export const CHANGE_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: 'ISNEW',
    signature: 'ISNEW()',
    result: 'Boolean',
    description: 'Whether the record is being created.',
    places: RULES,
    parameters: [],
    make: () => ({
      type: 'Boolean',
      facts: {},
      operation: makeConstant('ISNEW', (_args, _run, { isNew }) => isNew),
    }),
  },
  {
    name: 'ISCLONE',
    signature: 'ISCLONE()',
    result: 'Boolean',
    description: 'False: an API creates no copies.',
    places: RULES,
    parameters: [],
    make: () => ({ type: 'Boolean', facts: {}, operation: makeConstant('ISCLONE', () => false) }),
  },
  {
    name: 'ISCHANGED',
    signature: 'ISCHANGED(field)',
    result: 'Boolean',
    description: 'Whether an update changes a field of the record. Never true for a new record.',
    places: RULES,
    parameters: [ANY],
    make({ args: [field] }) {
      requireOwnField(field!, 'ISCHANGED')
      return { type: 'Boolean', facts: {}, operation: isChanged }
    },
  },
  {
    name: 'PRIORVALUE',
    signature: 'PRIORVALUE(field)',
    result: 'type of the field',
    description: 'What a field of the record was before an update; what it is in a new record.',
    places: RULES,
    parameters: [ANY],
    make({ args: [field] }) {
      requireOwnField(field!, 'PRIORVALUE')
      return { type: field!.type, facts: field!.facts, operation: priorValue }
    },
  },
]
