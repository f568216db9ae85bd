import type { Sql } from '../../base/sql.ts'
import type { Field } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'

/**
 * When a statement of a change runs. Keys and indexes go before what they are of, and come when everything they need is
 * there.
 */
export const PHASES = [
  'drop keys',
  'drop indexes',
  'drop',
  'create',
  'fill',
  'alter',
  'create indexes',
  'create keys',
] as const
export type Phase = (typeof PHASES)[number]

export interface Statement {
  readonly phase: Phase
  readonly sql: Sql
  /** What is enough at first where no record that is there may be looked at; a step of an upgrade does the rest. */
  readonly quick?: readonly Sql[]
}

/** Records that stand in the way of a change. */
export interface Obstacle {
  readonly rows: number
  /** Some of them. */
  readonly ids: readonly string[]
  /** What is wrong with them, said of all: `without a value`. */
  readonly message: string
}

/** Looks for records that stand in the way, or that lose something. */
export interface Examination {
  /** Statement that gives `rows` and `ids`. */
  readonly sql: Sql
  /** Undefined: they do not stand in the way, they lose what they have. */
  readonly message: string | undefined
}

export interface NarrowedField {
  readonly object: ObjectType
  readonly before: Field
  readonly after: Field
}

/** One thing that a change does, in words and as SQL. */
export interface Step {
  readonly kind: 'add' | 'change' | 'destroy'
  readonly object: string
  readonly field?: string
  /** `length 20 → 40` */
  readonly what: string
  readonly statements: readonly Statement[]
  readonly examinations: readonly Examination[]
  /** Where a field takes fewer values than before, those that are there have to be looked at one by one. */
  readonly values?: NarrowedField | undefined
}
