import type { Column } from './columns.ts'
import type { ResultRecord } from './record-pages.ts'

/** Pages of records to text, piece by piece. */
export type Format = (
  columns: readonly Column[],
  pages: AsyncIterable<readonly ResultRecord[]>,
) => AsyncIterable<string>
