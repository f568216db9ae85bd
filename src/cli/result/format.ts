import type { ResultRecord } from '../reach/record-pages.ts'
import type { Column } from './columns.ts'

/**
 * Pages of records to text, piece by piece.
 * @param room how many columns the terminal has; undefined: it goes elsewhere
 */
export type Format = (
  columns: readonly Column[],
  pages: AsyncIterable<readonly ResultRecord[]>,
  room?: number,
) => AsyncIterable<string>
