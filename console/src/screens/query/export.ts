import { neutralCell } from '../../../../src/cli/result/spreadsheet-cell.ts'
import { textOf } from '../../components/grid/CellText.tsx'
import { type Children, columnsOf, isChildren, type ResultColumn, type Row, valueAt } from './columns.ts'

const isText = (value: unknown) => typeof value === 'string'

/** A cell of a CSV file. What a spreadsheet would evaluate is neutralized. */
function csvCell(value: unknown): string {
  const text = isText(value) ? neutralCell(textOf(value)) : textOf(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const name = ({ path }: ResultColumn) => path.join('.')
const bare = (value: unknown): unknown =>
  isChildren(value)
    ? value.records.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'attributes')),
      )
    : value

/** Each record is a line; children stand in their cell as JSON. */
export function asCsv(rows: readonly Row[]): string {
  const columns = columnsOf(rows)
  const lines = [columns.map(name), ...rows.map((row) => columns.map(({ path }) => bare(valueAt(row, path))))]
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

/** Each child is a line, beside the values of its record; a record without children is a line too. */
export function asCsvByChild(rows: readonly Row[]): string {
  const columns = columnsOf(rows)
  const childColumns = columns.filter(({ kind }) => kind === 'children')
  const [first] = childColumns
  if (first === undefined) return asCsv(rows)
  const own = columns.filter(({ kind }) => kind === 'value')
  const flat = rows.flatMap((row): Row[] => {
    const mine = Object.fromEntries(own.map((column) => [name(column), valueAt(row, column.path) ?? null]))
    const below = childColumns.flatMap(({ path }) => {
      const children = (valueAt(row, path) as Children | null | undefined)?.records ?? []
      const inner = columnsOf(children)
      return children.map((child) => ({
        ...mine,
        ...Object.fromEntries(
          inner.map((column) => [`${path.join('.')}.${name(column)}`, valueAt(child, column.path) ?? null]),
        ),
      }))
    })
    return below.length > 0 ? below : [mine]
  })
  // Names have dots here and are no paths.
  const names = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  return [names, ...flat.map((row) => names.map((key) => row[key]))]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('')
}

const withoutAttributes = (key: string, value: unknown) => (key === 'attributes' ? undefined : value)
export const asJson = (rows: readonly Row[]): string => JSON.stringify(rows, withoutAttributes, 2)

/** The form that spreadsheets take from the clipboard. */
export function asTabs(rows: readonly Row[]): string {
  const columns = columnsOf(rows)
  const cell = (value: unknown) =>
    (isText(value) ? neutralCell(textOf(value)) : textOf(value)).replaceAll(/[\t\r\n]+/g, ' ')
  return [columns.map(name), ...rows.map((row) => columns.map(({ path }) => cell(bare(valueAt(row, path)))))]
    .map((cells) => cells.join('\t'))
    .join('\n')
}

export function asMarkdown(rows: readonly Row[]): string {
  const columns = columnsOf(rows)
  const cell = (value: unknown) =>
    textOf(bare(value)).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(name)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map(({ path }) => cell(valueAt(row, path))))),
  ].join('\n')
}
