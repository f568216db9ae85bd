import { WaitingBytes } from '../../storage/database/db.ts'
import { PIECE_BYTES } from '../../storage/pass-bytes.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'

/** A record with a larger value gets its own statement. */
const MAX_SHARED_BYTES = PIECE_BYTES / 16

/** True if the record needs a statement of its own. */
export const isHeavy = ({ values }: PlannedRecord): boolean => {
  for (const value of values.values()) {
    if (value instanceof WaitingBytes) return true
    if (value instanceof Uint8Array && value.length > MAX_SHARED_BYTES) return true
  }
  return false
}

/** Groups records into one statement each: all together, but every record with many bytes alone. */
export function groupIntoBatches(records: readonly PlannedRecord[]): readonly (readonly PlannedRecord[])[] {
  const heavy = records.filter(isHeavy)
  if (heavy.length === 0) return [records]
  const light = records.filter((record) => !heavy.includes(record))
  return [...(light.length > 0 ? [light] : []), ...heavy.map((record) => [record])]
}
