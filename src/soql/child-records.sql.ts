import { sql } from '../base/sql.ts'
import type { RecordBody, RecordShape, ShapeMember } from '../schema/record-shape.sql.ts'
import type { Row } from '../storage/db.ts'
import type { ChildSelection } from './plan.ts'

/** Children of one record that do not fit on its page. */
export interface Overflow {
  /** The way to the child query: its number among those of its SELECT, from the outermost on. */
  readonly path: readonly number[]
  /** Ids of all children in order. */
  readonly ids: readonly string[]
  /** The result that waits for the address of its next page. */
  readonly result: { nextRecordsUrl?: string }
}

/** How many, the first page of rows, the ids of all where that is not all. */
type Children = readonly [
  total: number,
  rows: readonly (readonly Row[])[] | null,
  ids: readonly string[] | null,
]

const rowOf = (chunks: readonly Row[]): Row => (chunks.length === 1 ? chunks[0]! : chunks.flat())

/** Child records as a result inside their record; null when there are none. (contract/soql 8.2) */
export function childrenMember(
  { name, alias }: ChildSelection,
  shape: RecordShape,
  number: number,
): ShapeMember {
  return {
    name,
    columns: [sql`${sql.id(alias)}.children`],
    read(row, at, reading) {
      const [total, rows, ids] = row[at] as unknown as Children
      if (total === 0) return null
      const path = [...(reading.path ?? []), number]
      const inside = { ...reading, path }
      const records = (rows ?? []).map((chunks) => shape.read(rowOf(chunks), 0, inside) as RecordBody)
      if (ids === null) return { totalSize: total, done: true, records }
      const result = { totalSize: total, done: false, nextRecordsUrl: '', records }
      ;(reading.overflow as Overflow[] | undefined)?.push({ path, ids, result })
      return result
    },
  }
}
