import { type Sql, sql } from '../../base/sql.ts'
import type {
  EvaluationScope,
  Expression,
  Operation,
  Piece,
  SqlScope,
  Value,
} from '../language/expression.ts'
import { type Facts, type FormulaPlace, MAX_DIGITS } from '../language/formula-type.ts'

/** True when one of the conditions is; undefined without any. */
export function anyOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const present = conditions.filter((one) => one !== undefined)
  if (present.length === 0) return undefined
  return present.length === 1 ? present[0] : sql`(${sql.join(present, ' or ')})`
}

/** A value that no text can be mistaken for: arguments are checked, so their values have the types of the operation. */
// biome-ignore lint/suspicious/noExplicitAny: the checker has compared the types of the arguments with those of the parameters
export type Any = any

export interface OperationParts {
  readonly label: string
  readonly places?: readonly FormulaPlace[] | undefined
  /** Default true. */
  readonly isImmutable?: boolean | undefined
  /** Null arguments are passed on; otherwise any of them makes the result null. */
  readonly takesNull?: boolean | undefined
  /** Nanoseconds that its evaluation takes for a character of its texts, about; as long as the slowest ones when absent. */
  readonly costPerCharacter?: number | undefined
  readonly evaluate: (args: Any, scope: EvaluationScope) => Value
  /** Null for a null argument, unless `takesNull`; and null where `fails` is true. */
  readonly sql: (args: readonly Sql[], expressions: readonly Expression[], scope: SqlScope) => Sql
  /** When the evaluation fails, by arguments that are not null. */
  readonly fails?: ((args: readonly Sql[], expressions: readonly Expression[]) => Sql | undefined) | undefined
}

/** True if the value of an expression is never null. */
export function isNeverNull(expression: Expression): boolean {
  if (expression.kind === 'literal') return expression.value !== null
  return expression.kind === 'reference' && (expression.zero || expression.type === 'Boolean')
}

/** Of the arguments that may be null, which is a condition that a failure depends on. */
function whenKnown(condition: Sql, args: readonly Sql[], expressions: readonly Expression[]): Sql {
  const nullable = args.filter((_, index) => !isNeverNull(expressions[index]!))
  if (nullable.length === 0 || expressions.length === 1) return condition
  return sql`(${sql.join(
    nullable.map((one) => sql`${one} is not null`),
    ' and ',
  )} and ${condition})`
}

/** That of changes of case, character by character. */
const MAX_COST_PER_CHARACTER = 300

/** Shorter texts cost no more than an operation without any. */
const FREE_LENGTH = 10

/** An operation that evaluates all of its arguments. */
export function makeOperation(parts: OperationParts): Operation {
  const perCharacter = parts.costPerCharacter ?? MAX_COST_PER_CHARACTER
  return {
    label: parts.label,
    ...(parts.places !== undefined && { places: parts.places }),
    isImmutable: parts.isImmutable ?? true,
    evaluate(args, run, scope) {
      const values = args.map(run)
      if (parts.takesNull !== true && values.includes(null)) return null
      let length = 0
      for (const value of values) if (typeof value === 'string') length += value.length
      if (length > FREE_LENGTH) scope.budget.spend(length * perCharacter)
      return parts.evaluate(values, scope)
    },
    toSql(args, expressions, scope): Piece {
      const values = args.map(({ value }) => value)
      const own = parts.fails?.(values, expressions)
      const failing = own && (parts.takesNull === true ? own : whenKnown(own, values, expressions))
      const guards = args.map(({ fails }) => fails)
      return {
        value: parts.sql(values, expressions, scope),
        fails: anyOf([...guards, failing]),
        isNullOnFailure:
          parts.takesNull === true
            ? own === undefined && guards.every((one) => one === undefined)
            : args.every((one) => one.fails === undefined || one.isNullOnFailure),
      }
    },
  }
}

/** An operation whose result may be bigger than numbers may be. */
export function boundNumber(operation: Operation, { digits = 0 }: Facts): Operation {
  if (digits <= MAX_DIGITS) return operation
  return {
    ...operation,
    toSql(args, expressions, scope) {
      const piece = operation.toSql(args, expressions, scope)
      const most = sql.raw(`1e${MAX_DIGITS}`)
      return {
        value: sql`(case when abs(${piece.value}) < ${most} then ${piece.value} end)`,
        fails: anyOf([piece.fails, sql`abs(${piece.value}) >= ${most}`]),
        isNullOnFailure: piece.isNullOnFailure,
      }
    },
  }
}

/** The facts of a number that was bounded. */
export const boundFacts = (facts: Facts): Facts =>
  (facts.digits ?? 0) > MAX_DIGITS ? { ...facts, digits: MAX_DIGITS } : facts

/** Facts that hold for the values of all expressions. */
export function mergeFacts(all: readonly Facts[]): Facts {
  const most = (key: 'scale' | 'digits' | 'length' | 'reach') => {
    const known = all.flatMap((facts) => facts[key] ?? [])
    return known.length === 0 ? undefined : Math.max(...known)
  }
  const [scale, digits, length, reach] = [most('scale'), most('digits'), most('length'), most('reach')]
  return {
    ...(scale !== undefined && { scale }),
    ...(digits !== undefined && { digits }),
    ...(length !== undefined && { length }),
    ...(reach !== undefined && { reach }),
  }
}
