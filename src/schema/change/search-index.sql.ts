import { createHash } from 'node:crypto'
import { oncePer } from '../../base/get-or-insert.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { table } from '../objects/table.sql.ts'
import { isSearchable, listSearchedFields, makeVector } from './search-words.sql.ts'

/**
 * Indexes of the words of records. Each has the records that were written in a span of time, so one that is written later needs no
 * entry in any: searches read the records that are newer than the last span, until an index of them is built in the background.
 * PostgreSQL itself keeps an index true whatever is written within its span. (docs/adr/0005-search.md)
 */

/** True if the definition gives the object indexes. Others get them on request. */
export const isIndexedByDefinition = ({ definition }: ObjectType) => definition.searchable === 'indexed'

/** An index on the words of more fields does not fit into PostgreSQL's catalog: searches scan the table of such an object. */
const MAX_INDEXED_FIELDS = 500

const isIndexable = (object: ObjectType) =>
  isSearchable(object) && listSearchedFields(object).length <= MAX_INDEXED_FIELDS

/** The records written at `from` or later and before `until`, in seconds since 1970; from 0: all written before. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** A search index as the database has it. */
export interface SearchIndex extends Span {
  readonly name: string
  /** Name of the object's table. */
  readonly table: string
  /** False while it is built, and after a build that was interrupted. */
  readonly isValid: boolean
}

/** Name, hash of the expression, and span. Version 0.1.0 made one without a span, of all records. */
const NAME = /_words_([0-9a-f]{12})(?:_([0-9a-z]+)_([0-9a-z]+))?$/

/** True if an index of that name is a search index, created by any version. */
export const isSearchIndexName = (name: string) => NAME.test(name)

/** A name has at most 63 characters, of which the rest is hash and span. */
const MAX_NAME_OF_TABLE = 22

/** A hash of the words of an object's records, so that its indexes are built again when its texts change; empty if it can have none. */
const hashWords = oncePer<ObjectType, string>((object) => {
  const vector = isIndexable(object) ? makeVector(object, undefined) : undefined
  if (vector === undefined) return ''
  // Names of tables may begin with the same characters.
  const rest = object.table.slice(MAX_NAME_OF_TABLE)
  return createHash('sha256').update(`${vector.text}${rest}`).digest('hex').slice(0, 12)
})

/** True if the object can have search indexes. */
export const canBeIndexed = (object: ObjectType): boolean => hashWords(object) !== ''

/** True if an index has the words of an object's records as they are now. */
export const hasWordsOf = (object: ObjectType, { name, table: of }: SearchIndex): boolean =>
  of === object.table && NAME.exec(name)?.[1] === hashWords(object)

const moment = (seconds: number): Sql => sql.raw(`to_timestamp(${seconds})`)

/**
 * True if a record was written within the span of an index, as the condition of that index says it. PostgreSQL takes functions as they
 * stand: after a load it would believe that a span has no records yet, find them by the index of their times, and make the words of all.
 * @param alias of the object's table in the statement
 */
export function isWithin({ from, until }: Span, alias?: string): Sql {
  const at = writtenAt(alias)
  const begins = from === 0 ? [] : [sql`timestamptz_ge(${at}, ${moment(from)})`]
  const ends = until === Number.POSITIVE_INFINITY ? [] : [sql`timestamptz_lt(${at}, ${moment(until)})`]
  return begins.length + ends.length === 0 ? sql`true` : sql.join([...begins, ...ends], ' and ')
}

/** True if a record was written at a moment or later, in seconds since 1970: found by the index of these times. */
export const isSince = (from: number, alias?: string): Sql =>
  from === 0 ? sql`true` : sql`${writtenAt(alias)} >= ${moment(from)}`

/** When a record was last written. */
const writtenAt = (alias?: string): Sql =>
  alias === undefined ? sql.id('systemmodstamp') : sql.id(alias, 'systemmodstamp')

/** A row of the catalog about an index. */
export type IndexRow = Omit<SearchIndex, keyof Span>

/** A search index from its row of the catalog; undefined for other indexes. */
export function readSearchIndex(row: IndexRow): SearchIndex | undefined {
  const found = NAME.exec(row.name)
  if (found === null) return undefined
  const [, , from, until] = found
  if (until === undefined) return { ...row, from: 0, until: Number.POSITIVE_INFINITY }
  return { ...row, from: Number.parseInt(from!, 36), until: Number.parseInt(until, 36) }
}

const ofIndexes = sql`select c.relname as name, t.relname as "table", i.indisvalid as "isValid"
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid`

const estimate = (org: Org, object: ObjectType): Sql =>
  sql`select greatest(reltuples, 0)::float8 as records from pg_class where oid = to_regclass(${table(org, object).text})`

export const searchIndexSql = {
  /** All search indexes of an org. */
  all: (org: Org): Sql => sql`${ofIndexes} join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = ${org.schemaName} and c.relname ~ '_words_'`,

  /** The search indexes of objects, also of such as have no table yet. */
  ofObjects: (org: Org, objects: readonly ObjectType[]): Sql => sql`${ofIndexes}
    where i.indrelid in (select to_regclass(name) from unnest(${objects.map((object) => table(org, object).text)}::text[]) as name)
      and c.relname ~ '_words_'`,

  /**
   * Records of an object from a moment on, at most so many: how many, the newest moment in seconds, and how many are older than it;
   * and the estimated number of all its records.
   */
  tail: (org: Org, object: ObjectType, from: number, max: number): Sql => sql`
    with tail as materialized (
      select ${writtenAt()} as at from ${table(org, object)} where ${isSince(from)}
      order by ${writtenAt()} limit ${max}::integer)
    select count(*)::float8 as records, coalesce(extract(epoch from max(at)), 0)::float8 as newest,
           count(*) filter (where at < (select max(at) from tail))::float8 as older, (${estimate(org, object)}) as total
    from tail`,

  /** Rows of the estimated number of an object's records, as the database counted them last. */
  estimate,

  /** Numbers of records by place of their index in the chain. */
  counts: (org: Org, object: ObjectType, chain: readonly Span[]): Sql => sql`
    select width_bucket(extract(epoch from ${writtenAt()})::float8, ${chain.map(({ until }) => until)}::float8[]) as span,
           count(*)::float8 as records
    from ${table(org, object)} group by 1`,

  /** The statements that build an index of a span, with and without blocking writes. */
  build(org: Org, object: ObjectType, span: Span) {
    const start = object.table.slice(0, MAX_NAME_OF_TABLE)
    const name = `${start}_words_${hashWords(object)}_${span.from.toString(36)}_${span.until.toString(36)}`
    const what = sql`${sql.id(name)} on ${table(org, object)} using gin (${makeVector(object, undefined)!})
      where ${isWithin(span)}`
    return {
      create: sql`create index ${what}`,
      createConcurrently: sql`create index concurrently ${what}`,
    }
  },
}
