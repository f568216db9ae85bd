import type { Span } from '../../schema/change/search-index.sql.ts'
import type { SearchGroup } from '../../schema/change/search-words.sql.ts'
import type { Field, RowSource } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AggregateFunction, DateFunction } from '../parse/function-names.ts'
import type { NamedDateLiteral } from '../parse/literal.ts'
import type { SearchExpression } from '../parse/search-expression.ts'
import type { ComparisonOperator } from '../parse/tree.ts'
import type { Slot } from './slot.ts'

/*
 * The result of analysis: every name resolved, every value typed, every default filled in. A plan is valid and depends
 * only on the schema. The caller, the time and the time zone are added when the statement is made. Both SOQL and GraphQL
 * produce plans.
 */

/** A table that a query reads: the queried object's, or that of a parent reached through a reference. */
export interface Source extends RowSource {
  /** Alias in the statement; unique across the statement, child queries included. */
  readonly alias: string
  readonly object: ObjectType
  /** The reference that this source is joined through; absent for the queried object. */
  readonly via?: FieldRef
  /**
   * The objects that a polymorphic reference may point to. Then `object` is the Name entity, with the fields they share.
   * (docs/reference/api/queries.md#conditions)
   */
  readonly targets?: readonly ObjectType[]
  /** A parent that formulas read, whatever the user may see of it. */
  readonly isSystem?: true
  /** Filled while the query is analyzed. */
  readonly formulaParents: Map<string, Source>
}

export interface FieldRef {
  readonly source: Source
  readonly field: Field
}

/** Anything that can be compared, sorted or grouped by. */
export type Operand =
  | ({ readonly kind: 'field' } & FieldRef)
  /** A part of a date; `zoned`: in the user's time zone, else in UTC. (docs/reference/api/queries.md#parts-of-dates) */
  | ({ readonly kind: 'datePart'; readonly function: DateFunction; readonly zoned: boolean } & FieldRef)
  /** COUNT() has no field. (docs/reference/api/queries.md#groups) */
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly of?: FieldRef }
  /** 1 on a subtotal row over the operand, else 0. */
  | { readonly kind: 'grouping'; readonly of: Operand }
  | ({ readonly kind: 'distance'; readonly to: Location | FieldRef; readonly unit: 'mi' | 'km' } & FieldRef)

export interface Location {
  readonly latitude: number
  readonly longitude: number
}

/** The selected members of a source's records, in the order requested. */
export interface Selection {
  readonly source: Source
  readonly members: readonly Selected[]
}

export type Selected =
  | Field
  | ParentSelection
  | TypeofSelection
  | ChildSelection
  | ComputedSelection
  | AccessSelection

/** A parent record nested in a record, under the canonical name of its relationship. */
export interface ParentSelection {
  readonly kind: 'parent'
  readonly name: string
  readonly selection: Selection
}

/** TYPEOF: the first branch whose object the reference points to. (docs/reference/api/queries.md#typeof) */
export interface TypeofSelection {
  readonly kind: 'typeof'
  readonly name: string
  readonly branches: readonly Selection[]
  /** ELSE. */
  readonly otherwise?: Selection | undefined
}

/** Child records nested in a record. (docs/reference/api/queries.md#children) */
export interface ChildSelection {
  readonly kind: 'children'
  readonly name: string
  readonly plan: ChildPlan
}

/** How a computed value is presented: unchanged, as its label, or formatted. (docs/reference/api/queries.md#functions) */
export type Presentation = 'plain' | 'label' | 'format'

export interface ComputedSelection {
  readonly kind: 'computed'
  readonly name: string
  readonly operand: Operand
  readonly presentation: Presentation
}

/** A value in stored form. Never null: null has conditions of its own. */
export type PlanValue = string | number | boolean

/**
 * Conditions are true or false, never unknown: a comparison with a null is false, and `not` of it is true.
 * (docs/reference/api/queries.md#conditions)
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | { readonly kind: 'isNull'; readonly operand: Operand }
  | {
      readonly kind: 'compare'
      readonly operand: Operand
      readonly operator: Exclude<ComparisonOperator, '!='>
      readonly value: PlanValue | Slot
    }
  /** Compares with a named date literal, resolved when the query runs. (docs/reference/api/queries.md#dates) */
  | {
      readonly kind: 'days'
      readonly operand: Operand
      readonly operator: Exclude<ComparisonOperator, '!='>
      readonly literal: Pick<NamedDateLiteral, 'name' | 'n'>
    }
  | { readonly kind: 'in'; readonly operand: Operand; readonly values: readonly PlanValue[] }
  /** `%` and `_` are wildcards, a backslash escapes the next character. */
  | { readonly kind: 'like'; readonly operand: Operand; readonly pattern: string }
  /** All values of at least one set are selected. */
  | { readonly kind: 'includes'; readonly operand: Operand; readonly sets: readonly (readonly string[])[] }
  /** A member of a document has a value; null: there is none. The value's text is cast to the type. */
  | {
      readonly kind: 'member'
      readonly operand: Operand & { readonly kind: 'field' }
      readonly members: readonly string[]
      readonly value: { readonly text: string; readonly type: 'text' | 'numeric' | 'boolean' } | null
    }
  | { readonly kind: 'semiJoin'; readonly operand: Operand; readonly plan: SemiJoinPlan }
  /** The record matches a search. (docs/reference/api/search.md#search) */
  | {
      readonly kind: 'search'
      readonly source: Source
      readonly search: SearchExpression
      /** Searches only fields of these groups; all groups when absent. */
      readonly groups?: readonly SearchGroup[] | undefined
      /** The records that search indexes have, by the time of their last write, in order from the beginning. */
      readonly indexed: readonly Span[]
    }
  /** The operand is the id of the current user. */
  | { readonly kind: 'mine'; readonly operand: Operand }
  | { readonly kind: 'recent'; readonly operand: Operand }

export interface Ordering {
  readonly operand: Operand
  readonly descending: boolean
  readonly nullsFirst: boolean
}

/** Properties of every plan. */
export interface PlanBase {
  /** The queried object first, each parent after the source that it is joined from. */
  readonly sources: readonly [Source, ...Source[]]
  readonly filter?: Filter | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Selects the caller's rights on a record of the queried object. (docs/reference/api/metadata.md#access-to-records) */
export interface AccessSelection {
  readonly kind: 'access'
  /** The object whose fields these are. */
  readonly name: 'UserRecordAccess'
  readonly fields: readonly Field[]
}

/** Which records, in which order, without their selection. */
export interface RowsPlan extends PlanBase {
  /** When empty: by relevance, then by id. */
  readonly orderings: readonly Ordering[]
  /** The searched text: records with this name come first. */
  readonly relevance?: string | undefined
}

/** The children of each record of an outer plan. */
export interface ChildRowsPlan extends RowsPlan {
  /** The reference to the outer record, and that record's source. */
  readonly reference: FieldRef
  readonly parent: Source
}

export interface RecordPlan extends RowsPlan {
  readonly kind: 'records'
  readonly selection: Selection
}

export interface ChildPlan extends RecordPlan, ChildRowsPlan {}

/** `SELECT COUNT()`: only the number of records. */
export interface CountPlan extends PlanBase {
  readonly kind: 'count'
}

/** One column of a row of an aggregate query. */
export interface AggregateItem {
  readonly name: string
  readonly operand: Operand
  readonly presentation: Presentation
}

/** One row per group of records. (docs/reference/api/queries.md#groups) */
export interface GroupsPlan extends PlanBase {
  readonly items: readonly Pick<AggregateItem, 'operand'>[]
  readonly grouping: 'plain' | 'rollup' | 'cube'
  readonly groupBy: readonly Operand[]
  readonly having?: Filter | undefined
  readonly orderings: readonly Ordering[]
}

/** Groups with named columns. */
export interface AggregatePlan extends GroupsPlan {
  readonly kind: 'aggregate'
  readonly items: readonly AggregateItem[]
}

/** The inner query of a semi-join. */
export interface SemiJoinPlan {
  readonly sources: readonly [Source, ...Source[]]
  readonly operand: FieldRef
  readonly filter?: Filter | undefined
}

export type Plan = RecordPlan | CountPlan | AggregatePlan
