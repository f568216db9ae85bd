import type { Sql } from '../../base/sql.ts'
import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'

/** The order in which the statements of a change run. Indexes are dropped before their columns, and created at the end. */
const PHASES = ['drop indexes', 'drop', 'create', 'fill', 'alter', 'create indexes'] as const
export type Phase = (typeof PHASES)[number]

export interface Statement {
  readonly phase: Phase
  readonly sql: Sql
  /** Replacement that does not scan existing records; a step of an upgrade completes it. */
  readonly quick?: readonly Sql[]
}

/** Records that prevent a change. */
export interface Obstacle {
  readonly rows: number
  /** Some of them. */
  readonly ids: readonly string[]
  /** The reason, as a phrase that follows the number of records: `without a value`. */
  readonly message: string
}

/** Finds records that prevent a change, or that lose data. */
export interface Examination {
  /** Statement that returns `rows` and `ids`. */
  readonly sql: Sql
  /** Undefined when the records do not prevent the change but lose data. */
  readonly message: string | undefined
}

export interface NarrowedField {
  readonly object: ObjectType
  readonly before: Field
  readonly after: Field
}

/** One step of a change, as text and as SQL. */
export interface Step {
  readonly kind: 'add' | 'change' | 'destroy'
  readonly object: string
  readonly field?: string
  /** `length 20 → 40` */
  readonly what: string
  readonly statements: readonly Statement[]
  readonly examinations: readonly Examination[]
  /** Set when a field accepts fewer values than before, so that each existing value must be checked. */
  readonly values?: NarrowedField | undefined
}

/** True if the step makes an object, and not a field of one. */
export const makesObject = ({ kind, field }: Step): boolean => kind === 'add' && field === undefined

/** Statements in the order in which they run. */
export const inPhases = (statements: readonly Statement[]): Statement[] =>
  PHASES.flatMap((phase) => statements.filter((one) => one.phase === phase))

/** Statements of one phase. */
export const during = (phase: Phase, statements: readonly Sql[]): Statement[] =>
  statements.map((sql) => ({ phase, sql }))
