import { decodeInSlices } from '../../access/decode-in-slices.ts'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { type JsonText, JsonWriter } from '../../base/json.ts'
import type { DecodeContext, RecordFormat } from '../../schema/snapshot/record-format.sql.ts'
import type { Row } from '../../storage/database/db.ts'

/** Fewer rows are written as fast as they are looked up. */
const MIN_SHARED_ROWS = 200

interface Writing {
  readonly format: RecordFormat
  readonly rows: readonly Row[]
  readonly how: DecodeContext
  readonly deadline: () => AbortSignal
}

interface Written {
  readonly text: JsonText
  /** Decrypted values are for who may see them. */
  readonly isForAll: boolean
}

/** By the first of the rows: those of one statement may be those of several calls, each with a list of its own. */
const writtenOf = oncePer((_first: Row) => new Map<string, Promise<Written | undefined>>())
const numberOf = oncePer<RecordFormat, number>(() => ++formats)
let formats = 0

function write({ format, rows, how, deadline }: Writing): Promise<Written> {
  return decodeInSlices({ open: how.open, deadline }, function* (open) {
    let isForAll = true
    const decoding: DecodeContext = {
      ...how,
      open: (...value) => {
        isForAll = false
        return open(...value)
      },
    }
    const writer = new JsonWriter()
    for (const [index, row] of rows.entries()) {
      const record = format.write(row, 0, decoding)
      writer.add(index === 0 ? record : `,${record}`)
      yield
    }
    return { text: writer.end(), isForAll }
  })
}

/** The members of a JSON list of records. Rows that calls have together are written once for all that write them alike. */
export async function writeRows(writing: Writing): Promise<JsonText> {
  const { format, rows, how } = writing
  if (rows.length < MIN_SHARED_ROWS) return (await write(writing)).text
  const { versionPath, origin, locale, timeZone, hasNumbers } = how
  const key = [rows.length, numberOf(format), versionPath, origin, locale, timeZone, hasNumbers].join(' ')
  let own: Promise<Written> | undefined
  const shared = await getOrInsert(writtenOf(rows[0]!), key, () => {
    own = write(writing)
    // Who has started it may run out of time, the others have theirs.
    return own.catch(() => undefined)
  })
  if (own !== undefined) return (await own).text
  return shared?.isForAll === true ? shared.text : (await write(writing)).text
}
