import type { Decimal } from 'decimal.js'
import type { Sql } from '../../base/sql.ts'
import type { Budget } from './budget.ts'
import type { Facts, FormulaPlace, FormulaType } from './formula-type.ts'

/**
 * A value while a formula is evaluated: a Number is a decimal, a Date the days and a DateTime the seconds since 1970, a Time the
 * milliseconds of the day. An empty text is null.
 */
export type Value = Decimal | string | number | boolean | null

/** A field of all records of an object, in which VLOOKUP finds a value. */
export interface Column {
  /** API names. */
  readonly object: string
  readonly field: string
  /** Of its values. */
  readonly type: FormulaType
  readonly facts: Facts
  readonly isPercent: boolean
  /** The name of the records of a custom object, by which they are found. */
  readonly isKey: boolean
}

/** Target of a name in a formula. Made by the binder, which knows objects and fields. */
export interface Target {
  /** Canonical spelling: `Account.Owner.Name`. */
  readonly name: string
  readonly type: FormulaType
  readonly facts: Facts
  /** The stored 50 is 0.5 in formulas. */
  readonly isPercent?: boolean
  /** A field of the record itself, not of a parent. */
  readonly isOwn?: boolean
  /** Always the same for the same stored values of the record: not from a parent, the caller or the clock. */
  readonly isImmutable: boolean
  /** The values that a literal may have which is compared with it. */
  readonly picklist?: readonly string[]
  /** A field that is computed by a formula of its own. */
  readonly formula?: Formula
  /** Latitude and longitude of a location. */
  readonly coordinates?: readonly [Target, Target]
  /** A field of all records of an object: `$ObjectType.Zip__c.Fields.City__c`. */
  readonly column?: Column
  /** A value that the platform fixes: `$System.OriginDateTime`. */
  readonly constant?: Value
}

/** A formula that was checked. */
export interface Formula {
  readonly text: string
  readonly root: Expression
  /** The declared type of its result. */
  readonly result: FormulaType
  /** Blank numbers count as zero. */
  readonly zero: boolean
  /** Every name that its text has, and each once. */
  readonly targets: readonly Target[]
  readonly isImmutable: boolean
  /** It shows HTML: HYPERLINK, IMAGE or BR is used. */
  readonly isHtml: boolean
  readonly depth: number
  readonly nodes: number
}

interface ExpressionBase {
  readonly type: FormulaType
  readonly facts: Facts
  /** Offset in the text. */
  readonly at: number
  readonly depth: number
}

export interface Literal extends ExpressionBase {
  readonly kind: 'literal'
  readonly value: Value
}

export interface Reference extends ExpressionBase {
  readonly kind: 'reference'
  readonly target: Target
  /** A blank number is zero. */
  readonly zero: boolean
  /** All 18 characters of an id. */
  readonly full: boolean
}

interface Call extends ExpressionBase {
  readonly kind: 'call'
  readonly operation: Operation
  readonly args: readonly Expression[]
}

export type Expression = Literal | Reference | Call

/** The record that a formula is evaluated for, and in whose name. */
export interface EvaluationScope {
  /** The value of a field that is not a formula. */
  read(target: Target, full: boolean): Value
  /** The scope of the record that has the formula; undefined when there is no such record. */
  enter(target: Target): EvaluationScope | undefined
  /** The value that the record had, in rules. */
  readPrior?(target: Target): Value
  /** The value of a column in the first record with a name; null without one. */
  lookUp?(column: Column, name: string): Value
  /** Limits the cost of the evaluation. */
  readonly budget: Budget
  /** Rules: the record is being created. */
  readonly isNew: boolean
  readonly now: Date
  /** Name of the user's time zone. */
  readonly timeZone: string
}

/** The rows that a formula is compiled for. */
export interface SqlScope {
  /** The expression for a field that is not a formula, with a DateTime as a timestamp in UTC and all characters of an id. */
  column(target: Target): Sql
  /** The scope of the row that has the formula. */
  enter(target: Target): SqlScope
  /** True if there is such a row; undefined when there always is one. */
  exists(target: Target): Sql | undefined
  /** The current time as a timestamp in UTC, to the second. */
  readonly now: Sql
  /** The current date of the user. */
  readonly today: Sql
  /** Name of the user's time zone. */
  readonly timeZone: Sql
}

/** An expression as SQL. Its evaluation never fails. */
export interface Piece {
  readonly value: Sql
  /** True when the evaluation of the formula would fail; null or false otherwise. Absent: never. */
  readonly fails?: Sql | undefined
  /** The value is null whenever `fails` is true. */
  readonly isNullOnFailure: boolean
}

/** One function or operator for certain types, in both backends. */
export interface Operation {
  /** `function 'LEFT()'` or `operator '+'`, as messages name it. */
  readonly label: string
  /** Where it may stand; everywhere when absent. */
  readonly places?: readonly FormulaPlace[]
  /** Its result follows from its arguments, and PostgreSQL knows that. */
  readonly isImmutable: boolean
  evaluate(args: readonly Expression[], run: (argument: Expression) => Value, scope: EvaluationScope): Value
  toSql(args: readonly Piece[], expressions: readonly Expression[], scope: SqlScope): Piece
}
