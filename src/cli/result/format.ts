import type { Terminal } from '../command/terminal.ts'
import type { ResultRecord } from '../reach/record-pages.ts'
import type { Column } from './columns.ts'

/**
 * Pages of records to text, piece by piece.
 * @param terminal where they are shown; undefined: they go elsewhere
 */
export type Format = (
  columns: readonly Column[],
  pages: AsyncIterable<readonly ResultRecord[]>,
  terminal?: Terminal,
) => AsyncIterable<string>
