import type { DateCall, Expression, FieldPath, FunctionCall, Name } from './function-call.ts'
import type { LikePattern, Literal, NumberLiteral, StringLiteral } from './literal.ts'

/*
 * The tree is purely syntactic: names are kept as typed, nothing is resolved, no defaults are filled in. It is immutable
 * plain data. Keywords (operators, directions, function names) have one spelling, so that later steps compare
 * with `===`.
 *
 * `at` is the 0-based offset of the node's first character in the text of the query. Errors point at it.
 *
 * Leaf nodes are in `literal.ts` and `function-call.ts`.
 * (docs/reference/api/queries.md#grammar, docs/reference/api/queries.md#positions)
 */

/** A whole query. (docs/reference/api/queries.md#grammar) */
export interface Query {
  readonly kind: 'query'
  /** The text that every `at` below is an offset into. */
  readonly text: string
  readonly items: readonly SelectItem[]
  readonly from: FromObject
  /** `FROM Contact c, c.Account a`: everything after the first comma. */
  readonly fromPaths: readonly FromPath[]
  readonly scope?: UsingScope | undefined
  readonly where?: Condition | undefined
  readonly with?: WithClause | undefined
  readonly grouping?: Grouping | undefined
  /** Only together with `grouping`. */
  readonly having?: Condition | undefined
  readonly orderBy: readonly OrderItem[]
  readonly limit?: NumberLiteral | undefined
  readonly offset?: NumberLiteral | undefined
  readonly forClauses: readonly ForClause[]
  readonly updateClauses: readonly UpdateClause[]
  readonly at: number
}

/** `(SELECT … FROM Contacts)` in a select list; `at` is the parenthesis. (docs/reference/api/queries.md#children) */
export interface ChildQuery {
  readonly kind: 'childQuery'
  readonly items: readonly SelectItem[]
  readonly from: FromChildren
  readonly where?: Condition | undefined
  readonly orderBy: readonly OrderItem[]
  readonly limit?: NumberLiteral | undefined
  readonly offset?: NumberLiteral | undefined
  readonly at: number
}

/** The query of `Id IN (SELECT …)`; it has no clause but WHERE. `at` is its SELECT. (docs/reference/api/queries.md#semi-joins) */
export interface SemiJoinQuery {
  readonly kind: 'semiJoinQuery'
  readonly items: readonly PlainItem[]
  readonly from: FromObject
  readonly where?: Condition | undefined
  readonly at: number
}

/** `Account a` */
export interface FromObject {
  readonly kind: 'fromObject'
  readonly object: Name
  readonly alias?: Name | undefined
  readonly at: number
}

/** `c.Account a`, a parent path of an object named before. */
export interface FromPath {
  readonly kind: 'fromPath'
  readonly path: FieldPath
  readonly alias?: Name | undefined
  readonly at: number
}

/** `Contacts`, `Account.Contacts`, `a.Contacts c`. (docs/reference/api/queries.md#children) */
export interface FromChildren {
  readonly kind: 'fromChildren'
  readonly prefix?: Name | undefined
  readonly relationship: Name
  readonly alias?: Name | undefined
  readonly at: number
}

/** `USING SCOPE mine`. (docs/reference/api/queries.md#scopes) */
export interface UsingScope {
  readonly kind: 'scope'
  readonly name: Name
  readonly at: number
}

export type SelectItem = PlainItem | ChildQuery | TypeofItem

/** Items that are also allowed in the select list of a semi-join. */
export type PlainItem = FieldItem | FunctionItem | FieldsItem

/** A field. The parser accepts an alias everywhere; analysis rejects illegal ones. (docs/reference/api/queries.md#aliases) */
export interface FieldItem {
  readonly kind: 'field'
  readonly path: FieldPath
  readonly alias?: Name | undefined
  readonly at: number
}

export interface FunctionItem {
  readonly kind: 'function'
  readonly call: FunctionCall
  readonly alias?: Name | undefined
  readonly at: number
}

/** `FIELDS(ALL)`. (docs/reference/api/queries.md#fields-function) */
export interface FieldsItem {
  readonly kind: 'fields'
  readonly group: 'ALL' | 'CUSTOM' | 'STANDARD'
  readonly at: number
}

/** `TYPEOF What WHEN Account THEN Phone ELSE Name END`; at least one branch. (docs/reference/api/queries.md#typeof) */
export interface TypeofItem {
  readonly kind: 'typeof'
  /** The relationship; a prefix of it (object name or alias) is part of the path. */
  readonly path: FieldPath
  readonly branches: readonly TypeofBranch[]
  /** The fields after ELSE; absent without ELSE. */
  readonly otherwise?: readonly FieldPath[] | undefined
  readonly at: number
}

export interface TypeofBranch {
  readonly kind: 'typeofBranch'
  readonly object: Name
  readonly fields: readonly FieldPath[]
  readonly at: number
}

/** Parentheses have no node of their own: they appear as nested And, Or and Not. (docs/reference/api/queries.md#grammar) */
export type Condition = And | Or | Not | Comparison | MemberComparison | Like | In | Includes | SemiJoin

/** Two terms or more. */
interface And {
  readonly kind: 'and'
  readonly terms: readonly Condition[]
  readonly at: number
}

/** Two terms or more. */
interface Or {
  readonly kind: 'or'
  readonly terms: readonly Condition[]
  readonly at: number
}

interface Not {
  readonly kind: 'not'
  readonly term: Condition
  readonly at: number
}

/** `<>` is normalized to `!=`. */
export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>='

/** `Settings__c->address->city = 'Berlin'`, or with `!=`: a member of a document. (docs/reference/api/queries.md#members-of-documents) */
export interface MemberComparison {
  readonly kind: 'memberComparison'
  readonly negated: boolean
  readonly path: FieldPath
  /** Names of members, each in that of the one before. */
  readonly members: readonly string[]
  readonly value: Literal
  readonly at: number
}

export interface Comparison {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly left: Expression
  readonly value: Literal
  readonly at: number
}

/** A string after LIKE is a pattern. Other literals parse too; analysis rejects their type. (docs/reference/api/queries.md#conditions) */
export interface Like {
  readonly kind: 'like'
  readonly left: Expression
  readonly value: LikePattern | Exclude<Literal, StringLiteral>
  readonly at: number
}

/** `IN (…)`, `NOT IN (…)` with one literal or more. */
export interface In {
  readonly kind: 'in'
  readonly negated: boolean
  readonly left: Expression
  readonly values: readonly Literal[]
  readonly at: number
}

/** `INCLUDES (…)`; EXCLUDES is the negated form. `'A;B'` is not split here. (docs/reference/api/queries.md#conditions) */
export interface Includes {
  readonly kind: 'includes'
  readonly negated: boolean
  readonly left: Expression
  readonly values: readonly Literal[]
  readonly at: number
}

/** `IN (SELECT …)`, `NOT IN (SELECT …)`. (docs/reference/api/queries.md#semi-joins) */
export interface SemiJoin {
  readonly kind: 'semiJoin'
  readonly negated: boolean
  readonly left: Expression
  readonly query: SemiJoinQuery
  readonly at: number
}

/** GROUP BY; `at` is its first item, or ROLLUP, or CUBE. (docs/reference/api/queries.md#groups) */
export interface Grouping {
  readonly kind: 'plain' | 'rollup' | 'cube'
  readonly items: readonly GroupItem[]
  readonly at: number
}

export type GroupItem = FieldPath | DateCall

/** Direction and position of nulls; absent when not specified. (docs/reference/api/queries.md#order-limit-and-offset) */
export interface OrderItem {
  readonly kind: 'order'
  readonly by: Expression
  readonly direction?: 'ASC' | 'DESC' | undefined
  readonly nulls?: 'FIRST' | 'LAST' | undefined
  readonly at: number
}

/** (docs/reference/api/queries.md#with, docs/reference/api/queries.md#order-limit-and-offset) */
export type WithClause = WithDataCategory | WithMode | WithVisibility | WithValue

/** `WITH DATA CATEGORY Geography__c ABOVE usa__c AND …` */
interface WithDataCategory {
  readonly kind: 'withDataCategory'
  readonly filters: readonly DataCategoryFilter[]
  readonly at: number
}

export interface DataCategoryFilter {
  readonly kind: 'dataCategory'
  readonly group: Name
  readonly operator: 'AT' | 'ABOVE' | 'BELOW' | 'ABOVE_OR_BELOW'
  readonly categories: readonly Name[]
  readonly at: number
}

/** `WITH USER_MODE` */
interface WithMode {
  readonly kind: 'withMode'
  readonly mode: 'SECURITY_ENFORCED' | 'USER_MODE' | 'SYSTEM_MODE'
  readonly at: number
}

/** `WITH RecordVisibilityContext (maxDescriptorPerRecord=100)` */
interface WithVisibility {
  readonly kind: 'withVisibility'
  readonly settings: readonly VisibilitySetting[]
  readonly at: number
}

export interface VisibilitySetting {
  readonly kind: 'visibilitySetting'
  readonly name: Name
  readonly value: Literal
  readonly at: number
}

/** `WITH UserId = '005…'`, of feed objects. */
interface WithValue {
  readonly kind: 'withValue'
  readonly path: FieldPath
  readonly value: Literal
  readonly at: number
}

/** `FOR VIEW` */
export interface ForClause {
  readonly kind: 'for'
  readonly purpose: 'VIEW' | 'REFERENCE' | 'UPDATE'
  readonly at: number
}

/** `UPDATE TRACKING` */
export interface UpdateClause {
  readonly kind: 'update'
  readonly target: 'TRACKING' | 'VIEWSTAT'
  readonly at: number
}
