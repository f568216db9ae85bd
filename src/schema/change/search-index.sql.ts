import { createHash } from 'node:crypto'
import { oncePer } from '../../base/get-or-insert.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type Field, isStored } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { table } from '../objects/table.sql.ts'

/**
 * The words of a record for PostgreSQL's full-text search. An object whose searches need it has one index of them; of any
 * other one a search scans the table. Words are indexed without accents, else unchanged: no stems, no stop words.
 * (docs/reference/api/search.md#search)
 */

/** Groups of fields, each with the weight that marks its words. (docs/reference/api/search.md#groups-of-fields) */
export const SEARCH_WEIGHTS = { name: 'A', email: 'B', phone: 'C', text: 'D', richText: 'D' } as const

export type SearchGroup = keyof typeof SEARCH_WEIGHTS

/** A text whose Latin letters have no accents, in records and in searches alike: either finds the other. */
export const foldLatin = (text: Sql): Sql => sql`objectry.fold_latin(${text})`

export const isSearchable = ({ definition }: ObjectType) => definition.searchable !== false

/** True if the definition gives the object an index. Others get one on request. */
export const isIndexedByDefinition = ({ definition }: ObjectType) => definition.searchable === 'indexed'

/** The group that a field's words belong to; undefined when they are not searched. */
function findGroup(object: ObjectType, field: Field): SearchGroup | undefined {
  if (!isStored(field) || field.type.searchedAs === undefined) return undefined
  // A stored compound name has the words of its parts.
  const { compound } = field.definition
  if (compound !== undefined && object.field(compound)?.column !== undefined) return undefined
  return field === object.nameField ? 'name' : field.type.searchedAs
}

/** The functions that make the words of a group's texts. */
const WORDS: Readonly<Record<SearchGroup, string>> = {
  name: 'words',
  email: 'words',
  phone: 'phone_words',
  text: 'words',
  richText: 'rich_words',
}

/** An index on the words of more fields does not fit into PostgreSQL's catalog: searches scan the table of such an object. */
const MAX_INDEXED_FIELDS = 500

const isIndexable = (object: ObjectType) =>
  isSearchable(object) &&
  object.fields.filter((field) => findGroup(object, field) !== undefined).length <= MAX_INDEXED_FIELDS

function makeWords(group: SearchGroup, fields: readonly Field[], table: string | undefined): Sql {
  const columns = fields.map(({ column }) => (table === undefined ? sql.id(column!) : sql.id(table, column!)))
  const words = sql`${sql.id('objectry', WORDS[group])}(array[${sql.join(columns)}])`
  const weight = SEARCH_WEIGHTS[group]
  return weight === 'D' ? words : sql`setweight(${words}, ${sql.raw(quoteText(weight))})`
}

/** All words of a record, weighted by group; undefined when the object has no text. */
function makeVector(object: ObjectType, table: string | undefined): Sql | undefined {
  const groups = Object.keys(SEARCH_WEIGHTS) as SearchGroup[]
  const parts = groups.flatMap((group) => {
    const fields = object.fields.filter((field) => findGroup(object, field) === group)
    return fields.length === 0 ? [] : [makeWords(group, fields, table)]
  })
  return parts.length === 0 ? undefined : sql`(${sql.join(parts, ' || ')})`
}

const vectorsOf = oncePer<ObjectType, Map<string, Sql | undefined>>(() => new Map())

/** @param table alias of the object's table in the statement */
export function searchVector(object: ObjectType, table: string): Sql | undefined {
  const known = vectorsOf(object)
  if (!known.has(table)) known.set(table, makeVector(object, table))
  return known.get(table)
}

const MARK = '_words_'

/** True if an index of that name is a search index, created by any version. */
export const isSearchIndexName = (name: string) => /_words_[0-9a-f]{12}$/.test(name)

const nameStart = ({ table }: ObjectType) => `${table.slice(0, 40)}${MARK}`

/** True if an index of that name is a search index of the object. */
export const isSearchIndexOf = (object: ObjectType, name: string) =>
  isSearchIndexName(name) && name.slice(0, -12) === nameStart(object)

/** Maximum length of a table's name without the prefix of a package. Its first 40 characters differ from those of others. */
const MAX_UNPREFIXED_TABLE = 43

/** The name contains a hash of the expression, so that the index is rebuilt when the object's texts change. */
function indexName(object: ObjectType, vector: Sql): string {
  const { table } = object
  // Tables of one package may begin with the same characters.
  const cut = table.length > MAX_UNPREFIXED_TABLE ? table : ''
  const hash = createHash('sha256').update(`${vector.text}${cut}`).digest('hex').slice(0, 12)
  return `${nameStart(object)}${hash}`
}

/** The statements that create a search index, with and without blocking writes. */
interface SearchIndex {
  readonly name: string
  readonly create: Sql
  readonly createConcurrently: Sql
}

export const searchIndexSql = {
  /** The indexes that objects can have, by name. */
  possible(org: Org, objects: readonly ObjectType[]): Map<string, SearchIndex> {
    const possible = new Map<string, SearchIndex>()
    for (const object of objects.filter(isIndexable)) {
      const vector = makeVector(object, undefined)
      if (vector === undefined) continue
      const name = indexName(object, vector)
      const what = sql`${sql.id(name)} on ${table(org, object)} using gin (${vector})`
      possible.set(name, {
        name,
        create: sql`create index ${what}`,
        createConcurrently: sql`create index concurrently ${what}`,
      })
    }
    return possible
  },

  /**
   * The indexes that objects need, by name.
   * @param requested names of objects whose index was requested
   */
  wanted(org: Org, objects: readonly ObjectType[], requested: ReadonlySet<string>): Map<string, SearchIndex> {
    return searchIndexSql.possible(
      org,
      objects.filter((object) => isIndexedByDefinition(object) || requested.has(object.name)),
    )
  },
}
