import { oncePer } from '../../base/get-or-insert.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import { type Field, isStored } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'

/**
 * The words of a record for PostgreSQL's full-text search, without accents, else unchanged: no stems, no stop words.
 * (docs/reference/api/search.md#search)
 */

/** Groups of fields, each with the weight that marks its words. (docs/reference/api/search.md#groups-of-fields) */
export const SEARCH_WEIGHTS = { name: 'A', email: 'B', phone: 'C', text: 'D', richText: 'D' } as const

export type SearchGroup = keyof typeof SEARCH_WEIGHTS

/** A text whose Latin letters have no accents, in records and in searches alike: either finds the other. */
export const foldLatin = (text: Sql): Sql => sql`objectry.fold_latin(${text})`

export const isSearchable = ({ definition }: ObjectType) => definition.searchable !== false

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

/** The fields whose words are searched. */
export const listSearchedFields = (object: ObjectType): Field[] =>
  object.fields.filter((field) => findGroup(object, field) !== undefined)

/** PostgreSQL's limit is 100 arguments of a function. */
const MAX_JOINED = 99

/** Texts with spaces between them. `array_to_string` has no limit, and takes twice as long. */
function joinTexts(texts: readonly Sql[]): Sql {
  if (texts.length <= MAX_JOINED) return sql`concat_ws(' ', ${sql.join(texts)})`
  const groups: Sql[] = []
  for (let at = 0; at < texts.length; at += MAX_JOINED)
    groups.push(joinTexts(texts.slice(at, at + MAX_JOINED)))
  return joinTexts(groups)
}

/**
 * All searched texts of a record as one: each of its words is a part of it, if the texts are ASCII, but for upper case.
 * @param table alias of the object's table in the statement
 * @param joinsDigits true to have the digits of phone numbers once more, without what is between them; they are words, too
 */
export function searchedText(object: ObjectType, table: string, joinsDigits: boolean): Sql {
  const texts = listSearchedFields(object).flatMap((field) => {
    const column = sql.id(table, field.column!)
    const digits = sql`translate(${column}, translate(${column}, '0123456789', ''), '')`
    return joinsDigits && findGroup(object, field) === 'phone' ? [column, digits] : [column]
  })
  return joinTexts(texts)
}

function makeWords(group: SearchGroup, fields: readonly Field[], table: string | undefined): Sql {
  const columns = fields.map(({ column }) => (table === undefined ? sql.id(column!) : sql.id(table, column!)))
  const words = sql`${sql.id('objectry', WORDS[group])}(array[${sql.join(columns)}])`
  const weight = SEARCH_WEIGHTS[group]
  return weight === 'D' ? words : sql`setweight(${words}, ${sql.raw(quoteText(weight))})`
}

/**
 * All words of a record, weighted by group; undefined when the object has no text.
 * @param table alias of the object's table in the statement; undefined for an index
 */
export function makeVector(object: ObjectType, table: string | undefined): Sql | undefined {
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
