import { sql } from '../../base/sql.ts'
import type { RecordFormat, ShapeMember } from '../../schema/snapshot/record-format.sql.ts'
import type { Row } from '../../storage/database/db.ts'
import { CHILD_PAGE_SIZE, isSplitRow } from './statement.sql.ts'

/** Children of one record that need pages of their own. */
export interface Overflow {
  /** Path to the child query: its index among those of each SELECT, from the outermost inward. */
  readonly path: readonly number[]
  readonly parentId: string
  /** The empty result in the record, to be filled. */
  readonly result: object
}

/** Child records as a nested result; null without any. (docs/reference/api/queries.md#result) */
export function makeChildrenMember(name: string, format: RecordFormat, number: number): ShapeMember {
  const isSplit = isSplitRow(format)
  return {
    name,
    // Placeholder: the statement puts the child records here.
    columns: [sql.raw('null')],
    bytes: format.width.bytes * CHILD_PAGE_SIZE,
    read(row, at, decodeContext, parentId) {
      const rows = row[at] as unknown as readonly Row[]
      if (rows.length === 0) return null
      const path = [...(decodeContext.path ?? []), number]
      if (rows.length > CHILD_PAGE_SIZE) {
        const result = {}
        ;(decodeContext.overflow as Overflow[]).push({ path, parentId, result })
        return result
      }
      const inside = { ...decodeContext, path }
      const records = rows.map((columns) => {
        const whole = isSplit ? (columns as unknown as readonly Row[]).flat() : columns
        return format.read(whole, 0, inside)
      })
      return { totalSize: records.length, done: true, records }
    },
  }
}
