import type { ResultRecord } from '../reach/record-pages.ts'
import { type Column, cellText, type Format, valueIn } from './columns.ts'
import { fitWidths, heading, terminalWidth } from './table-style.ts'
import { cutToWidth, printable, textWidth } from './terminal-text.ts'

/** A wider cell is cut: a table is for the eye, the other formats have everything. */
const WIDEST = 80

/** The value on one line; of child records how many there are. */
function formatCell(record: ResultRecord, column: Column): string {
  const value = valueIn(record, column)
  if (column.kind === 'children') return String((value as { totalSize: number } | null)?.totalSize ?? 0)
  // No more is looked at than may be shown: a text can be very long.
  const text = cellText(value, { nulls: false }).slice(0, WIDEST * 8)
  return cutToWidth(printable(text), WIDEST)
}

function pad(text: string, width: number, { kind }: Column): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)))
  return kind === 'value' ? text + blanks : blanks + text
}

/**
 * Aligned columns, numbers to the right, and how many records there were. The first page decides how wide a column
 * is: a wider value on a later one moves the rest of its line, but on a terminal, where the table is cut to its width.
 */
export const printTable: Format = async function* (columns, pages, terminal) {
  const room = terminal && terminalWidth(terminal.stdout)
  const titles = columns.map(({ title }) => title)
  let widths: readonly number[] | undefined
  let count = 0
  const fit = (text: string, at: number) => (room === undefined ? text : cutToWidth(text, widths![at]!))
  const line = (cells: readonly string[]) =>
    `${columns
      .map((column, at) => pad(fit(cells[at]!, at), widths![at]!, column))
      .join('  ')
      .trimEnd()}\n`
  for await (const records of pages) {
    const rows = records.map((record) => columns.map((column) => formatCell(record, column)))
    if (widths === undefined) {
      const whole = titles.map((title, at) =>
        rows.reduce((widest, cells) => Math.max(widest, textWidth(cells[at]!)), title.length),
      )
      widths = fitWidths(whole, room, (at) => columns[at]!.kind === 'value')
      yield (terminal === undefined ? line(titles) : `${heading(terminal, line(titles).trimEnd())}\n`) +
        line(widths.map((width) => '-'.repeat(width)))
    }
    yield rows.map(line).join('')
    count += records.length
  }
  yield `${count} ${count === 1 ? 'record' : 'records'}\n`
}
