import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { valueLocation } from '../../schema/objects/value-location.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type EncryptedTable, encryptedValuesSql } from './encrypted-values.sql.ts'

/** How many records are looked at together: at most so many, of at most so many characters. */
const MAX_PAGE = 500
const MAX_PAGE_CHARACTERS = 2_000_000

/** The tables of objects that have encrypted values, with their columns. */
export const encryptedTables = (objects: readonly ObjectDefinition[]): EncryptedTable[] =>
  objects
    .map(({ name, fields }) => {
      const encrypted = fields.filter(({ type }) => FIELD_TYPES[type].encrypted !== undefined)
      return {
        name: name.toLowerCase(),
        object: name.toLowerCase(),
        columns: encrypted.map((field) => field.name.toLowerCase()),
        characters: encrypted.reduce((sum, { length = 0 }) => sum + length, 0),
      }
    })
    .filter(({ columns }) => columns.length > 0)

/** What becomes of a stored value that stands in a place. */
export type Rewrite = (stored: string, location: string) => string

/**
 * Gives the encrypted values of the next records another form, without a trace in what the records say of themselves.
 * @param after id of the last record that was looked at; '' at the beginning
 * @param plainOnly only records with a value that is not encrypted yet
 * @returns id of the last record of the page; undefined: there are no more
 */
export async function rewritePage(
  tx: Db,
  org: Org,
  table: EncryptedTable,
  after: string,
  plainOnly: boolean,
  rewrite: Rewrite,
): Promise<string | undefined> {
  type End = { readonly last: string | null; readonly records: number }
  const max = Math.max(1, Math.min(MAX_PAGE, Math.floor(MAX_PAGE_CHARACTERS / table.characters)))
  const [end] = await tx.query<End>(encryptedValuesSql.pageEnd(org, table, after, max))
  const { last, records } = end!
  if (last === null) return undefined
  const rows = await tx.rows(encryptedValuesSql.page(org, table, after, last, plainOnly))
  const ids = rows.map(([id]) => id as string)
  const values = table.columns.map((column, index) =>
    rows.map((row) => {
      const stored = row[index + 1] as string | null
      const location = valueLocation({ table: table.object }, { column }, row[0] as string)
      return stored === null ? null : rewrite(stored, location)
    }),
  )
  if (ids.length > 0) await tx.query(encryptedValuesSql.write(org, table, ids, values))
  return records < max ? undefined : last
}
