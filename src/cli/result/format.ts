import type { ResultRecord } from '../reach/record-pages.ts'
import type { Column } from './columns.ts'

/** Pages of records to text, piece by piece. */
export type Format = (
  columns: readonly Column[],
  pages: AsyncIterable<readonly ResultRecord[]>,
) => AsyncIterable<string>
