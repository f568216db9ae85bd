import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Expression, Formula, Literal, Piece, Reference, SqlScope } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import {
  type FormulaOutput,
  type FormulaType,
  MAX_COMPILED_LENGTH,
  MAX_RESULT_LENGTH,
} from '../language/formula-type.ts'
import { formatDate, formatDateTime, formatTime } from '../values/civil-date.ts'
import type { Decimal } from '../values/number.ts'

/** The types of values in SQL. A DateTime is a timestamp in UTC, because operations on it do not depend on the session then. */
const SQL_TYPES: Readonly<Record<FormulaType, string>> = {
  Number: 'numeric',
  Text: 'text',
  Boolean: 'boolean',
  Date: 'date',
  DateTime: 'timestamp',
  Time: 'time',
  Null: 'text',
  Picklist: 'text',
  MultiPicklist: 'text',
  Location: 'text',
  Column: 'text',
}

const literal = (text: string): Sql => sql.raw(quoteText(text))

function compileLiteral({ type, value }: Pick<Literal, 'type' | 'value'>): Sql {
  if (value === null) return sql`null::${sql.raw(SQL_TYPES[type])}`
  switch (type) {
    case 'Number': {
      const digits = (value as Decimal).toFixed()
      return sql.raw(digits.includes('.') ? digits : `${digits}.0`)
    }
    case 'Boolean':
      return value === true ? sql`true` : sql`false`
    case 'Date':
      return sql`date ${literal(formatDate(value as number))}`
    case 'DateTime':
      return sql`timestamp ${literal(formatDateTime(value as number))}`
    case 'Time':
      return sql`time ${literal(formatTime(value as number))}`
    default:
      return sql`${literal(value as string)}::text`
  }
}

/** Returns the expression for rows that exist, and null for others. */
const onlyWhere = (exists: Sql, { value, fails, isNullOnFailure }: Piece): Piece => ({
  value: sql`(case when ${exists} then ${value} end)`,
  fails: fails && sql`(${exists} and ${fails})`,
  isNullOnFailure,
})

function compileTarget({ target, full }: Reference, scope: SqlScope, limit: number): Piece {
  const { constant, formula, facts } = target
  if (constant !== undefined)
    return { value: compileLiteral({ type: target.type, value: constant }), isNullOnFailure: true }
  if (formula !== undefined) {
    const piece = compile(formula.root, scope.enter(target), limit)
    const exists = scope.exists(target)
    return exists === undefined ? piece : onlyWhere(exists, piece)
  }
  const column = scope.column(target)
  if (target.isPercent === true) return { value: sql`(${column} * 0.01)`, isNullOnFailure: true }
  return { value: facts.isId === true && !full ? sql`left(${column}, 15)` : column, isNullOnFailure: true }
}

function compileReference(reference: Reference, scope: SqlScope, limit: number): Piece {
  const piece = compileTarget(reference, scope, limit)
  const empty = reference.type === 'Boolean' ? sql`false` : reference.zero ? sql`0` : undefined
  if (empty === undefined) return piece
  return {
    value: sql`coalesce(${piece.value}, ${empty})`,
    fails: piece.fails,
    isNullOnFailure: piece.fails === undefined,
  }
}

const lengthOf = ({ pieces }: Sql) => pieces.reduce((sum, { length }) => sum + length, 0)

function compile(expression: Expression, scope: SqlScope, limit: number): Piece {
  switch (expression.kind) {
    case 'literal':
      return { value: compileLiteral(expression), isNullOnFailure: true }
    case 'reference':
      return compileReference(expression, scope, limit)
    case 'call': {
      const args = expression.args.map((argument) => compile(argument, scope, limit))
      const piece = expression.operation.toSql(args, expression.args, scope)
      const length = lengthOf(piece.value) + (piece.fails === undefined ? 0 : lengthOf(piece.fails))
      if (length <= limit) return piece
      throw new FormulaError(
        `Compiled formula is too big to execute (${length} characters). Maximum size is ${limit} characters`,
        expression.at,
      )
    }
  }
}

/** The expression for what is given out, by the type of the result. */
function finish(value: Sql, type: FormulaType, { scale, isPercent }: FormulaOutput): Sql {
  switch (type) {
    case 'Number': {
      const number = isPercent === true ? sql`(${value} * 100)` : value
      return scale === undefined ? number : sql`round(${number}, ${sql.raw(String(scale))})`
    }
    case 'Text':
      return sql`left(${value}, ${sql.raw(String(MAX_RESULT_LENGTH))})`
    case 'Boolean':
      return sql`coalesce(${value}, false)`
    case 'DateTime':
      return sql`(${value} at time zone 'UTC')`
    default:
      return value
  }
}

/**
 * The value of a formula as an expression, as it is given out: null when the evaluation fails. The expression itself never fails.
 * @param limit characters that it may have; unlimited for formulas that were compiled before
 * @throws FormulaError when it is longer
 */
export function compileOutput(
  { root, result }: Formula,
  output: FormulaOutput,
  scope: SqlScope,
  limit = Number.POSITIVE_INFINITY,
): Sql {
  const { value, fails, isNullOnFailure } = compile(root, scope, limit)
  const finished = finish(value, result, output)
  // A condition without a value is false, so its failure is not seen in it.
  if (fails === undefined || (isNullOnFailure && result !== 'Boolean')) return finished
  return sql`(case when ${fails} then null else ${finished} end)`
}

/**
 * True if the evaluation of a formula fails, for those who look for the reason of an empty value; undefined when it cannot.
 */
export const compileFailure = ({ root }: Formula, scope: SqlScope): Sql | undefined =>
  compile(root, scope, Number.POSITIVE_INFINITY).fails

/** Refuses a formula whose SQL would be too long. */
export function checkCompiledLength(formula: Formula, output: FormulaOutput, scope: SqlScope): void {
  compileOutput(formula, output, scope, MAX_COMPILED_LENGTH)
}
