import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { Cache } from '../../base/cache.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { analyzeQuery } from '../analyze/analyze.ts'
import type { Statements } from '../analyze/keep-statement.ts'
import { parseQuery } from '../parse/parser.ts'
import type { Query } from '../parse/tree.ts'
import type { AggregatePlan, CountPlan, RecordPlan, Selection } from '../plan/plan.ts'
import type { ShapedPlan } from '../sql/statement.sql.ts'
import { shapeSelection } from './shape.ts'

/** A record query that is ready to run. */
export interface RecordQuery extends ShapedPlan {
  readonly kind: 'records'
  /** Fewer than a page may hold when the records are wide. */
  readonly maxRows: number
  readonly statements: Statements
  /** How its records are used by whoever asks. */
  readonly use?: 'viewed' | 'referenced' | undefined
}

/** A query that is ready to run. */
export type CompiledQuery =
  | RecordQuery
  | { readonly kind: 'count'; readonly plan: CountPlan }
  | { readonly kind: 'aggregate'; readonly plan: AggregatePlan }

/** PostgreSQL takes 1,664 columns and sort keys in one statement. */
const MAX_COLUMNS = 1600
/** Records with two long texts or more come in smaller pages. (docs/reference/api/queries.md#pages) */
const LONG_TEXTS = 2
const WIDE_PAGE = 200
/** Values of a page. Records with more than a hundred columns come in smaller pages, but none smaller than that. */
const MAX_PAGE_VALUES = 200_000
/** As many values take as long as a formatted one. */
const FORMAT_WEIGHT = 5
const MAX_FORMATTED = 300
/** The same for a value that has to be decrypted. */
const DECRYPT_WEIGHT = 20
const MAX_DECRYPTED = 100

const isLongText = (name: string) => name === 'longtextarea' || name === 'richtextarea'

function longTexts({ members }: Selection): number {
  let count = 0
  for (const member of members) {
    if (!('kind' in member)) count += isLongText(member.type.name) ? 1 : 0
    else if (member.kind === 'parent') count += longTexts(member.selection)
  }
  return count
}

/** Values that are written for people: each takes as long as several others. */
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

/** @param schema the one that the plan was made from */
export function compileRecords(plan: RecordPlan, schema: SchemaSnapshot): RecordQuery {
  const { shape, children } = shapeSelection(plan.selection, schema)
  checkColumns(shape.columns.length + plan.orderings.length)
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
  const weight = shape.columns.length + formatted * FORMAT_WEIGHT + encrypted * DECRYPT_WEIGHT
  const rows = Math.floor(MAX_PAGE_VALUES / weight)
  const maxRows = longTexts(plan.selection) >= LONG_TEXTS ? WIDE_PAGE : Math.max(rows, WIDE_PAGE)
  return { kind: 'records', plan, shape, children, maxRows, statements: new Map() }
}

/** `FOR VIEW` and `FOR REFERENCE`. (docs/reference/api/queries.md#order-limit-and-offset) */
function useOf({ forClauses }: Query): RecordQuery['use'] {
  if (forClauses.some(({ purpose }) => purpose === 'VIEW')) return 'viewed'
  return forClauses.some(({ purpose }) => purpose === 'REFERENCE') ? 'referenced' : undefined
}

/** How many texts are remembered for one schema. */
const MAX_CACHED = 1000

const cache = new WeakMap<SchemaSnapshot, Cache<CompiledQuery>>()

function compile(text: string, schema: SchemaSnapshot, version: ApiVersion): CompiledQuery {
  const query = parseQuery(text)
  const plan = analyzeQuery(query, schema, version)
  switch (plan.kind) {
    case 'records':
      return { ...compileRecords(plan, schema), use: useOf(query) }
    case 'count':
      return { kind: 'count', plan }
    case 'aggregate':
      return { kind: 'aggregate', plan }
  }
}

/**
 * Text, tree, plan, shape. A text that comes again is remembered for as long as the schema lives.
 * @param schema what whoever asks may read
 * @throws ApiError
 */
export function compileQuery(text: string, schema: SchemaSnapshot, version: ApiVersion): CompiledQuery {
  const known = getOrInsert(cache, schema, () => new Cache<CompiledQuery>(MAX_CACHED))
  return known.of(`${version.major} ${text}`, () => compile(text, schema, version))
}
