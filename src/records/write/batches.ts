import { WaitingBytes } from '../../storage/database/waiting-bytes.ts'
import { PIECE_BYTES } from '../../storage/pass-bytes.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'

/** Bytes of a record that go over the wire in the same message as those of others: a sixteenth of a piece. */
const MAX_TOGETHER = PIECE_BYTES / 16

const isHeavy = ({ values }: PlannedRecord): boolean => {
  for (const value of values.values()) {
    if (value instanceof WaitingBytes) return true
    if (value instanceof Uint8Array && value.length > MAX_TOGETHER) return true
  }
  return false
}

/** Records in the groups that one statement writes: all together, but each that brings many bytes alone. */
export function batchesOf(records: readonly PlannedRecord[]): readonly (readonly PlannedRecord[])[] {
  const heavy = records.filter(isHeavy)
  if (heavy.length === 0) return [records]
  const light = records.filter((record) => !heavy.includes(record))
  return [...(light.length > 0 ? [light] : []), ...heavy.map((record) => [record])]
}
