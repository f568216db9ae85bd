import type { Format } from './format.ts'
import { printCsv } from './print-csv.ts'
import { printJson } from './print-json.ts'
import { printTable } from './print-table.ts'

/** How a result may be printed. */
export const FORMATS = { table: printTable, csv: printCsv, json: printJson } as const satisfies Record<
  string,
  Format
>
