/* Cells in the clipboard, as spreadsheets have them: a line for each row, a tab between cells, quotes around what has either of them. */

export const writeCells = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) =>
      cells.map((text) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('\t'),
    )
    .join('\n')

const CELL = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/y

/** The cells of a text; the end of the last line begins no row. */
export function readCells(text: string): readonly (readonly string[])[] {
  const given = text.replace(/(\r?\n|\r)$/, '')
  const rows: string[][] = [[]]
  CELL.lastIndex = 0
  while (CELL.lastIndex <= given.length) {
    // A quote in the midst of a cell, or one that is not closed, is as it is: something is found always.
    const [, quoted, bare, end] = CELL.exec(given)!
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!)
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  return rows
}
