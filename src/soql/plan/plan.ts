import type { SearchGroup } from '../../schema/change/search-index.sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AggregateFunction, DateFunction } from '../parse/function-names.ts'
import type { NamedDateLiteral } from '../parse/literal.ts'
import type { SearchExpression } from '../parse/search-expression.ts'
import type { ComparisonOperator } from '../parse/tree.ts'

/*
 * What was decided: every name resolved, every value typed, every default filled in. A plan cannot be refused any
 * more, and it depends on nothing but the schema: who asks, when and in which time zone comes in when the statement is
 * made. SOQL and GraphQL make them.
 */

/** A table that a query reads: the queried object's, or that of a parent reached through a reference. */
export interface Source {
  /** Its name in the statement; unique in the whole statement, child queries included. */
  readonly alias: string
  readonly object: ObjectType
  /** The reference that leads here; absent for the queried object. */
  readonly via?: FieldRef
  /**
   * The objects behind a reference to several: then `object` is the Name entity, which has what they share.
   * (docs/reference/api/queries.md#conditions)
   */
  readonly targets?: readonly ObjectType[]
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
  /** Without a field: COUNT(), the number of records. (docs/reference/api/queries.md#groups) */
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly of?: FieldRef }
  /** 1 on a row that sums up over what is grouped by. */
  | { readonly kind: 'grouping'; readonly of: Operand }
  | ({ readonly kind: 'distance'; readonly to: Location | FieldRef; readonly unit: 'mi' | 'km' } & FieldRef)

export interface Location {
  readonly latitude: number
  readonly longitude: number
}

/** What the records of a source show, in the order asked for. */
export interface Selection {
  readonly source: Source
  readonly members: readonly Selected[]
}

export type Selected = Field | ParentSelection | TypeofSelection | ChildSelection | ComputedSelection

/** A parent inside a record, under the canonical name of its relationship. */
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
  readonly otherwise?: Selection
}

/** Child records inside a record. (docs/reference/api/queries.md#children) */
export interface ChildSelection {
  readonly kind: 'children'
  readonly name: string
  readonly plan: ChildPlan
}

/** How a computed value is shown: a label, a formatted text, or as it is. (docs/reference/api/queries.md#functions) */
export type Presentation = 'plain' | 'label' | 'format'

export interface ComputedSelection {
  readonly kind: 'computed'
  readonly name: string
  readonly operand: Operand
  readonly presentation: Presentation
}

/** A value as it is stored; never null, which has conditions of its own. */
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
      readonly value: PlanValue
    }
  /** With the days that a named literal means when the query runs. (docs/reference/api/queries.md#dates) */
  | {
      readonly kind: 'days'
      readonly operand: Operand
      readonly operator: Exclude<ComparisonOperator, '!='>
      readonly literal: Pick<NamedDateLiteral, 'name' | 'n'>
    }
  | { readonly kind: 'in'; readonly operand: Operand; readonly values: readonly PlanValue[] }
  /** `%` and `_` are wildcards, a backslash takes the next character as it is. */
  | { readonly kind: 'like'; readonly operand: Operand; readonly pattern: string }
  /** One of the sets is chosen as a whole. */
  | { readonly kind: 'includes'; readonly operand: Operand; readonly sets: readonly (readonly string[])[] }
  | { readonly kind: 'semiJoin'; readonly operand: Operand; readonly plan: SemiJoinPlan }
  /** Has the words of a search. (docs/reference/api/search.md#search) */
  | {
      readonly kind: 'search'
      readonly source: Source
      readonly search: SearchExpression
      /** Only in the fields of these groups; all of them when absent. */
      readonly groups?: readonly SearchGroup[]
    }
  /** Owned by whoever asks. */
  | { readonly kind: 'mine'; readonly operand: Operand }
  | { readonly kind: 'recent'; readonly operand: Operand }

export interface Ordering {
  readonly operand: Operand
  readonly descending: boolean
  readonly nullsFirst: boolean
}

/** What every plan has. */
export interface PlanBase {
  /** The queried object's first, each parent after the source it is reached from. */
  readonly sources: readonly [Source, ...Source[]]
  readonly filter?: Filter
  readonly limit?: number
  readonly offset?: number
}

/** Which records, in which order. What is shown of them is another matter. */
export interface RowsPlan extends PlanBase {
  /** Empty: by relevance, then by id. */
  readonly orderings: readonly Ordering[]
  /** What was searched for: records that are named so come first. */
  readonly relevance?: string
}

/** The children of each record of an outer plan. */
export interface ChildRowsPlan extends RowsPlan {
  /** Their reference to the outer record, and that record's source. */
  readonly reference: FieldRef
  readonly parent: Source
}

export interface RecordPlan extends RowsPlan {
  readonly kind: 'records'
  readonly selection: Selection
}

export interface ChildPlan extends RecordPlan, ChildRowsPlan {}

/** `SELECT COUNT()`: how many records, none of them. */
export interface CountPlan extends PlanBase {
  readonly kind: 'count'
}

/** One column of a row of an aggregate query. */
export interface AggregateItem {
  readonly name: string
  readonly operand: Operand
  readonly presentation: Presentation
}

/** Rows that sum up records: one for each group of them. (docs/reference/api/queries.md#groups) */
export interface GroupsPlan extends PlanBase {
  readonly items: readonly Pick<AggregateItem, 'operand'>[]
  readonly grouping: 'plain' | 'rollup' | 'cube'
  readonly groupBy: readonly Operand[]
  readonly having?: Filter
  readonly orderings: readonly Ordering[]
}

/** The same with a name for each column. */
export interface AggregatePlan extends GroupsPlan {
  readonly kind: 'aggregate'
  readonly items: readonly AggregateItem[]
}

/** The ids that an outer field is looked for among. */
export interface SemiJoinPlan {
  readonly sources: readonly [Source, ...Source[]]
  readonly operand: FieldRef
  readonly filter?: Filter
}

export type Plan = RecordPlan | CountPlan | AggregatePlan
