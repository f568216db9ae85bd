import type { Context } from '../../context.ts'
import { type Piece, type PiecePart, pieceSql } from './job.sql.ts'

/** Without the charset, some clients read the text as Latin-1. */
export const CSV_TYPE = 'text/csv; charset=UTF-8'

/** A piece without its bytes. */
export type StoredPiece = Omit<Piece, 'bytes'> & { readonly length: number }

/** The bytes of pieces one after the other, with what stands before and behind them. */
export async function* joinPieces(
  { db, org }: Context,
  owner: string,
  part: PiecePart,
  pieces: readonly StoredPiece[],
  before: readonly Uint8Array[],
  behind: readonly Uint8Array[] = [],
): AsyncGenerator<Uint8Array> {
  for (const bytes of before) if (bytes.length > 0) yield bytes
  for (const { number } of pieces) {
    const [row] = await db.rows(pieceSql.read(org, owner, part, number))
    if (row === undefined) throw new Error('The results were deleted while they were read')
    yield row[0] as Uint8Array
  }
  for (const bytes of behind) if (bytes.length > 0) yield bytes
}
