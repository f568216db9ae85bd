import { sql } from '../../base/sql.ts'
import type { RecordFormat, ShapeMember } from '../../schema/snapshot/record-format.sql.ts'
import type { Row } from '../../storage/database/db.ts'
import { CHILD_PAGE, comesInPieces } from './statement.sql.ts'

/** Children of one record that do not fit into it. */
export interface Overflow {
  /** The way to the child query: its number among those of its SELECT, from the outermost on. */
  readonly path: readonly number[]
  readonly parentId: string
  /** The result that is to be filled. */
  readonly result: object
}

/** Child records as a result inside their record; null when there are none. (docs/reference/api/queries.md#result) */
export function childrenMember(name: string, shape: RecordFormat, number: number): ShapeMember {
  const pieces = comesInPieces(shape)
  return {
    name,
    // Where the statement puts the child records.
    columns: [sql.raw('null')],
    read(row, at, decoding, parentId) {
      const rows = row[at] as unknown as readonly Row[]
      if (rows.length === 0) return null
      const path = [...(decoding.path ?? []), number]
      if (rows.length > CHILD_PAGE) {
        const result = {}
        ;(decoding.overflow as Overflow[]).push({ path, parentId, result })
        return result
      }
      const inside = { ...decoding, path }
      const records = rows.map((columns) => {
        const whole = pieces ? (columns as unknown as readonly Row[]).flat() : columns
        return shape.read(whole, 0, inside)
      })
      return { totalSize: records.length, done: true, records }
    },
  }
}
