import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { WaitingBytes } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type BytesOfRow, isSentApart } from '../../storage/pass-bytes.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import { isHeavy } from './batches.ts'
import { writeSql } from './write.sql.ts'

interface SetApart {
  readonly rest: readonly PlannedRecord[]
  /** Absent: all values are in the statement. */
  readonly row?: BytesOfRow
}

/**
 * Takes the bytes that are sent apart out of the values to write. A record that has some is alone in its batch.
 * @returns the records without them, and the bytes with the row that gets them
 */
export function setBytesApart(org: Org, object: ObjectType, batch: readonly PlannedRecord[]): SetApart {
  const [record] = batch as readonly [PlannedRecord]
  if (batch.length > 1 || !isHeavy(record)) return { rest: batch }
  const bytes = new Map<string, Uint8Array | WaitingBytes>()
  const values: RecordValues = new Map()
  for (const [field, value] of record.values) {
    if (isSentApart(value)) bytes.set(field.column!, value)
    else values.set(field, value)
  }
  if (bytes.size === 0) return { rest: batch }
  return { rest: [{ ...record, values }], row: { ...writeSql.row(org, object, record.id), bytes } }
}
