import { valueLocation } from '../../access/value-cipher.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type EncryptedTable, encryptedValuesSql } from './encrypted-values.sql.ts'

/** Maximum records and characters of a page. */
const MAX_PAGE = 500
const MAX_PAGE_CHARACTERS = 2_000_000

/** The tables with encrypted values, and their columns. */
export const findEncryptedTables = (objects: readonly ObjectDefinition[]): EncryptedTable[] =>
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

/** Returns the new form of a value stored at a location. */
type Rewrite = (stored: string, location: string) => string

/**
 * Rewrites the encrypted values of the next records without changing their audit fields.
 * @param after last id of the page before; '' for the first page
 * @param plainOnly only records with a value that is not encrypted yet
 * @returns last id of the page; undefined when there are no more records
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
