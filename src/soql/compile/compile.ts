import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { Cache } from '../../base/cache.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { analyzeQuery } from '../analyze/analyze.ts'
import { analyzeValue } from '../analyze/analyze-value.ts'
import type { StatementCache } from '../analyze/statement-cache.ts'
import { parseQuery } from '../parse/parser.ts'
import { findShape, type QueryShape } from '../parse/query-shape.ts'
import type { Query } from '../parse/tree.ts'
import type { AggregatePlan, CountPlan, PlanValue, RecordPlan, Selection } from '../plan/plan.ts'
import { type Slot, Slots } from '../plan/slot.ts'
import type { FormattedChildren, FormattedPlan } from '../sql/statement.sql.ts'
import { formatSelection } from './selection-format.ts'

/** A record query that is ready to run. */
export interface RecordQuery extends FormattedPlan {
  readonly kind: 'records'
  /** Maximum records on a page; lower than the usual maximum for wide records. */
  readonly maxPageSize: number
  readonly statements: StatementCache
  /** Which record views the query stores: FOR VIEW or FOR REFERENCE. */
  readonly viewKind?: 'viewed' | 'referenced' | undefined
}

/** A query that is ready to run. */
export type CompiledQuery =
  | RecordQuery
  | { readonly kind: 'count'; readonly plan: CountPlan }
  | { readonly kind: 'aggregate'; readonly plan: AggregatePlan }

/** PostgreSQL takes 1,664 columns and sort keys in one statement. */
const MAX_COLUMNS = 1600
/** Records with at least this many long texts come in smaller pages. (docs/reference/api/queries.md#pages) */
const MIN_LONG_TEXTS = 2
const WIDE_RECORDS_PAGE_SIZE = 200
/** Maximum values on a page: records with more than a hundred columns come in smaller pages, of at least `WIDE_RECORDS_PAGE_SIZE`. */
const MAX_PAGE_VALUES = 200_000
/** Cost of a formatted value, in plain values. */
const FORMAT_WEIGHT = 5
const MAX_FORMATTED = 300
/** Cost of a decrypted value, in plain values. */
const DECRYPT_WEIGHT = 20
const MAX_DECRYPTED = 100

function countLongTexts({ members }: Selection): number {
  let count = 0
  for (const member of members) {
    if (!('kind' in member)) count += member.type.long === true ? 1 : 0
    else if (member.kind === 'parent') count += countLongTexts(member.selection)
  }
  return count
}

/** Counts values with FORMAT, which cost several plain ones. */
function countFormatted({ members }: Selection): number {
  let count = 0
  for (const member of members) {
    if (!('kind' in member)) continue
    if (member.kind === 'computed') count += member.presentation === 'format' ? 1 : 0
    else if (member.kind === 'parent') count += countFormatted(member.selection)
  }
  return count
}

function countEncrypted({ members }: Selection): number {
  let count = 0
  for (const member of members) {
    if (!('kind' in member)) count += member.type.encrypted === undefined ? 0 : 1
    else if (member.kind === 'parent') count += countEncrypted(member.selection)
    else if (member.kind === 'computed' && member.operand.kind === 'field') {
      count += member.operand.field.type.encrypted === undefined ? 0 : 1
    }
  }
  return count
}

/**
 * @param count of columns and sort keys
 * @throws ApiError QUERY_TOO_COMPLICATED
 */
export function checkColumns(count: number): void {
  if (count <= MAX_COLUMNS) return
  throw new ApiError(
    'QUERY_TOO_COMPLICATED',
    'Query is either selecting too many fields or the filter conditions are too complicated.',
  )
}

/** Child records are rows of a statement of their own, in which their columns are one value. */
function checkChildren(all: readonly FormattedChildren[]): void {
  for (const { plan, format, children } of all) {
    checkColumns(Math.max(format.columns.length, plan.orderings.length))
    checkChildren(children)
  }
}

/** Groups are selected, grouped and sorted by columns of one list. */
function checkGroups(plan: AggregatePlan): AggregatePlan {
  checkColumns(plan.items.length + plan.groupBy.length + plan.orderings.length)
  return plan
}

/** @param schema the one that the plan was made with */
export function compileRecords(plan: RecordPlan, schema: SchemaSnapshot): RecordQuery {
  const { format, children, access } = formatSelection(plan.selection, schema)
  checkColumns(format.columns.length + plan.orderings.length)
  checkChildren(children)
  const formatted = countFormatted(plan.selection)
  if (formatted > MAX_FORMATTED) {
    throw new ApiError('QUERY_TOO_COMPLICATED', `A query may select FORMAT at most ${MAX_FORMATTED} times`)
  }
  const encrypted = countEncrypted(plan.selection)
  if (encrypted > MAX_DECRYPTED) {
    throw new ApiError(
      'QUERY_TOO_COMPLICATED',
      `A query may select ${MAX_DECRYPTED} encrypted values at most`,
    )
  }
  const weight = format.columns.length + formatted * FORMAT_WEIGHT + encrypted * DECRYPT_WEIGHT
  const rows = Math.floor(MAX_PAGE_VALUES / weight)
  const maxPageSize =
    countLongTexts(plan.selection) >= MIN_LONG_TEXTS
      ? WIDE_RECORDS_PAGE_SIZE
      : Math.max(rows, WIDE_RECORDS_PAGE_SIZE)
  return { kind: 'records', plan, format, children, access, maxPageSize, statements: new Map() }
}

/** `FOR VIEW` and `FOR REFERENCE`. (docs/reference/api/queries.md#order-limit-and-offset) */
function getViewKind({ forClauses }: Query): RecordQuery['viewKind'] {
  if (forClauses.some(({ purpose }) => purpose === 'VIEW')) return 'viewed'
  return forClauses.some(({ purpose }) => purpose === 'REFERENCE') ? 'referenced' : undefined
}

/** Maximum cached queries per schema. */
const MAX_CACHED = 1000

const queriesOf = oncePer<SchemaSnapshot, Cache<CompiledQuery>>(() => new Cache(MAX_CACHED))

function compile(text: string, schema: SchemaSnapshot, version: ApiVersion, slots?: Slots): CompiledQuery {
  const query = parseQuery(text)
  const plan = analyzeQuery(query, schema, version, slots)
  switch (plan.kind) {
    case 'records':
      return { ...compileRecords(plan, schema), viewKind: getViewKind(query) }
    case 'count':
      return { kind: 'count', plan }
    case 'aggregate':
      return { kind: 'aggregate', plan: checkGroups(plan) }
  }
}

/**
 * Compiles the text of a query: parses it, makes its plan and the format of its records. Cached per schema.
 * @param schema the part of the schema that the caller may read
 * @throws ApiError
 */
export function compileQuery(text: string, schema: SchemaSnapshot, version: ApiVersion): CompiledQuery {
  return queriesOf(schema).of(`${version.major} ${text}`, () => compile(text, schema, version))
}

/** A query for all texts of one shape, and the values of this one. */
export interface OpenQuery {
  readonly query: RecordQuery
  readonly values: readonly PlanValue[]
}

/** Without a query: those of the shape have to be compiled one by one. */
interface CompiledShape {
  readonly query?: RecordQuery
  readonly slots: readonly Slot[]
}

const shapesOf = oncePer<SchemaSnapshot, Cache<CompiledShape>>(() => new Cache(MAX_CACHED))

function compileShape(
  text: string,
  { literals }: QueryShape,
  schema: SchemaSnapshot,
  version: ApiVersion,
): CompiledShape {
  const slots = new Slots(literals.map(({ at }) => at))
  const query = compile(text, schema, version, slots)
  const made = slots.list()
  // The rest of a long list of children is read by the values of their own query.
  const isOpen = query.kind === 'records' && query.children.length === 0 && made !== undefined
  return isOpen ? { query, slots: made } : { slots: [] }
}

/**
 * Compiles a record query for all queries that differ from it only in texts and numbers which they compare with. Cached per
 * schema and shape.
 * @param schema the part of the schema that the caller may read
 * @returns undefined if this cannot be done: then `compileQuery` compiles it, or says what is wrong
 */
export function compileOpenQuery(
  text: string,
  schema: SchemaSnapshot,
  version: ApiVersion,
): OpenQuery | undefined {
  try {
    const shape = findShape(text)
    if (shape === undefined) return undefined
    const { query, slots } = shapesOf(schema).of(`${version.major} ${shape.key}`, () =>
      compileShape(text, shape, schema, version),
    )
    if (query === undefined) return undefined
    const values = slots.map(({ facts }, index) => analyzeValue(facts, shape.literals[index]!, text)!)
    return { query, values }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
