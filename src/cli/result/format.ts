import type { Column } from './columns.ts'
import { printCsv } from './print-csv.ts'
import { printJson } from './print-json.ts'
import { printTable } from './print-table.ts'
import type { ResultRecord } from './record-pages.ts'

/** Pages of records to text, piece by piece. */
export type Format = (
  columns: readonly Column[],
  pages: AsyncIterable<readonly ResultRecord[]>,
) => AsyncIterable<string>

/** How a result may be printed. */
export const FORMATS = { table: printTable, csv: printCsv, json: printJson } as const satisfies Record<
  string,
  Format
>
