import type { Terminal } from '../command/terminal.ts'
import { fitWidths, heading, statusText, terminalWidth } from './table-style.ts'
import { cutToWidth, printable, textWidth } from './terminal-text.ts'

type Cell = string | number | null

const formatCell = (cell: Cell | undefined) =>
  cell === null || cell === undefined ? '-' : printable(String(cell))

/**
 * A list in aligned columns below their titles, numbers to the right; nothing is `-`. On a terminal it is cut to its
 * width.
 * @param none what is said when there is nothing to list
 */
export function listText(
  terminal: Terminal,
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  none: string,
): string {
  if (rows.length === 0) return `${none}\n`
  const lines = [titles, ...rows.map((row) => titles.map((_, at) => formatCell(row[at])))]
  const isNumber = titles.map((_, at) => rows.every((row) => typeof row[at] === 'number'))
  const widths = fitWidths(
    titles.map((_, at) => Math.max(...lines.map((line) => textWidth(line[at]!)))),
    terminalWidth(terminal.stdout),
    (at) => !isNumber[at],
  )
  const pad = (whole: string, at: number) => {
    const text = cutToWidth(whole, widths[at]!)
    const blanks = ' '.repeat(widths[at]! - textWidth(text))
    return isNumber[at] ? blanks + text : text + blanks
  }
  const [titleCells, ...cells] = lines.map((line) => line.map(pad))
  const head = heading(terminal, titleCells!.join('  ').trimEnd())
  const body = cells.map((line) =>
    line
      .map((cell) => statusText(terminal, cell))
      .join('  ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return `${[head, rule, ...body].join('\n')}\n`
}

/** Formats one item: names and values, aligned; empty values are left out. */
export function factsText(facts: Readonly<Record<string, Cell | undefined>>): string {
  const there = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)
  const width = Math.max(...there.map(([name]) => name.length))
  return there.map(([name, value]) => `  ${name.padEnd(width)}  ${formatCell(value)}\n`).join('')
}
