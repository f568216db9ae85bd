import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { ComparisonOperator } from './tree.ts'

/*
 * What was decided: every name resolved, every value typed, every default filled in. A plan cannot be refused any
 * more. SOQL makes plans now; another syntax may make the same ones.
 */

/** A table that a query reads: the queried object's, or that of a parent reached through a reference. */
export interface Source {
  /** Its name in the statement. */
  readonly alias: string
  readonly object: ObjectType
  /** The reference that leads here; absent for the queried object. */
  readonly via?: FieldRef
}

export interface FieldRef {
  readonly source: Source
  readonly field: Field
}

/** What the records of a source show, in the order asked for. */
export interface Selection {
  readonly source: Source
  readonly members: readonly (Field | ParentSelection)[]
}

/** A parent inside a record, under the canonical name of its relationship. */
export interface ParentSelection {
  readonly name: string
  readonly selection: Selection
}

/** A value as it is stored; never null, which has conditions of its own. */
export type PlanValue = string | number | boolean

/**
 * Conditions are true or false, never unknown: a comparison with a null is false, and `not` of it is true.
 * (contract/soql 5.3)
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | { readonly kind: 'isNull'; readonly operand: FieldRef }
  | {
      readonly kind: 'compare'
      readonly operand: FieldRef
      readonly operator: Exclude<ComparisonOperator, '!='>
      readonly value: PlanValue
    }
  | { readonly kind: 'in'; readonly operand: FieldRef; readonly values: readonly PlanValue[] }
  /** `%` and `_` are wildcards, a backslash takes the next character as it is. */
  | { readonly kind: 'like'; readonly operand: FieldRef; readonly pattern: string }

export interface Ordering {
  readonly operand: FieldRef
  readonly descending: boolean
  readonly nullsFirst: boolean
}

interface PlanBase {
  /** The queried object's first, each parent after the source it is reached from. */
  readonly sources: readonly [Source, ...Source[]]
  readonly filter?: Filter
  readonly limit?: number
  readonly offset?: number
}

export interface RecordPlan extends PlanBase {
  readonly kind: 'records'
  readonly selection: Selection
  /** Empty: by id. */
  readonly orderings: readonly Ordering[]
}

/** `SELECT COUNT()`: how many records, none of them. */
export interface CountPlan extends PlanBase {
  readonly kind: 'count'
}

export type Plan = RecordPlan | CountPlan
