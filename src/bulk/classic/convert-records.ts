import { runInSlices } from '../../base/run-in-slices.ts'
import type { Context } from '../../context.ts'
import { readXmlText } from '../../xml/parse-xml.ts'
import { splitXml } from '../../xml/split-xml.ts'
import { readJsonCells } from './json-cells.ts'
import { parseJson } from './read-info.ts'
import { invalidBatch, MAX_RECORDS, RecordTable, tooManyRecords } from './record-table.ts'
import { readXmlCells } from './xml-cells.ts'

/** Of a record in XML. */
const MAX_RECORD_CHARACTERS = 400_000

const STEP_BYTES = 64 * 1024

const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = [34, 10, 13]

/** Counts the rows of CSV, the first one with them; empty lines are none. */
function* countRows(bytes: Uint8Array): Generator<void, number> {
  let [rows, isQuoted, isEmpty] = [0, false, true]
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === 0) yield
    const byte = bytes[at]!
    if (byte === QUOTE) isQuoted = !isQuoted
    if (byte !== LINE_FEED || isQuoted) isEmpty &&= byte === CARRIAGE_RETURN
    else {
      if (!isEmpty) rows++
      isEmpty = true
    }
  }
  return isEmpty ? rows : rows + 1
}

function* convertXml(bytes: Uint8Array): Generator<void, Buffer[]> {
  const table = new RecordTable()
  const text = readXmlText(bytes)
  yield
  for (const records of splitXml(text, MAX_RECORD_CHARACTERS)) {
    for (const record of records) table.add(readXmlCells(record))
    yield
  }
  return yield* table.write()
}

function* convertJson(value: unknown): Generator<void, Buffer[]> {
  if (!Array.isArray(value)) throw invalidBatch('The batch is not a list of records')
  const table = new RecordTable()
  for (const record of value) {
    table.add(readJsonCells(record))
    yield
  }
  return yield* table.write()
}

/**
 * The records of a batch as rows of CSV, which is what jobs process.
 * @throws ApiError INVALIDBATCH, XML_PARSER_ERROR, JSON_PARSER_ERROR
 */
export const RECORD_READERS = {
  async CSV({ deadline }: Context, bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    const rows = await runInSlices(() => countRows(bytes), deadline())
    if (rows > MAX_RECORDS + 1) throw tooManyRecords()
    return [bytes]
  },

  XML: ({ deadline }: Context, bytes: Uint8Array) => runInSlices(() => convertXml(bytes), deadline()),

  async JSON(ctx: Context, bytes: Uint8Array) {
    const value = await parseJson(ctx, bytes)
    return runInSlices(() => convertJson(value), ctx.deadline())
  },
}
