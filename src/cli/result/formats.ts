import type { Format } from './format.ts'
import { printCsv } from './print-csv.ts'
import { printTable } from './print-table.ts'

/** One array of the records as the interface gives them, a line each. */
const printJson: Format = async function* (_columns, pages) {
  let between = '[\n'
  for await (const records of pages) {
    if (records.length === 0) continue
    yield between + records.map((record) => JSON.stringify(record)).join(',\n')
    between = ',\n'
  }
  yield between === '[\n' ? '[]\n' : '\n]\n'
}

/** How a result may be printed. */
export const FORMATS = { table: printTable, csv: printCsv, json: printJson } as const satisfies Record<
  string,
  Format
>
