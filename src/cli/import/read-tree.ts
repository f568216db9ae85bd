import type { SourceFile } from './source-file.ts'
import type { SourceRow } from './source-row.ts'
import { parsePiece, splitJson } from './split-json.ts'

function getType({ attributes }: Readonly<Record<string, unknown>>): string | undefined {
  const { type } = (attributes ?? {}) as { readonly type?: unknown }
  return typeof type === 'string' ? type : undefined
}

/** The trees of the files of an export by sf: `{"records": [{"attributes": {"type", "referenceId"}, ...}]}`. */
export async function* readTree(sources: readonly SourceFile[]): AsyncGenerator<SourceRow> {
  let row = 0
  for (const source of sources) {
    for await (const piece of splitJson(source)) {
      const record = parsePiece(source, piece)
      const object = getType(record)
      if (object === undefined) {
        throw new Error(
          `${source.name}, line ${piece.line}: every record of a tree needs attributes with a type and a referenceId.`,
        )
      }
      yield { row: ++row, record, object }
    }
  }
}
