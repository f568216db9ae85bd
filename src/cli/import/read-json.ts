import type { ColumnTargets } from './column-targets.ts'
import type { SourceFile } from './source-file.ts'
import type { SourceRow } from './source-row.ts'
import { parsePiece, splitJson } from './split-json.ts'

/** So many records are looked at before the first one is written. */
const LOOKED_AT = 200

function makeRow(row: number, members: Readonly<Record<string, unknown>>, columns: ColumnTargets): SourceRow {
  const record: Record<string, unknown> = {}
  for (const name of Object.keys(members)) columns.of(name)?.put(record, members[name])
  return { row, record }
}

/** Records of a JSON array, or of a file with one on each line, as the interface takes them. */
export async function* readJson(source: SourceFile, columns: ColumnTargets): AsyncGenerator<SourceRow> {
  let first: Record<string, unknown>[] | undefined = []
  let row = 0
  function* checked(records: readonly Record<string, unknown>[]) {
    const names = new Set(records.flatMap((record) => Object.keys(record)))
    if (records.length > 0) columns.check([...names])
    for (const record of records) yield makeRow(++row, record, columns)
  }
  for await (const piece of splitJson(source)) {
    const record = parsePiece(source, piece)
    if (first === undefined) yield makeRow(++row, record, columns)
    else if (first.push(record) === LOOKED_AT) {
      yield* checked(first)
      first = undefined
    }
  }
  yield* checked(first ?? [])
}
