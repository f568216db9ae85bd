import { spareMemory } from '../../base/spare-memory.ts'
import type { Context } from '../../context.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import { type Piece, type PiecePart, pieceSql } from './job.sql.ts'

/** Without the charset, some clients read the text as Latin-1. */
export const CSV_TYPE = 'text/csv; charset=UTF-8'

/** A piece without its bytes. */
export type StoredPiece = Omit<Piece, 'bytes'> & { readonly length: number }

/**
 * One piece of results. It is read as text, which takes half the bytes, unless it quotes an upload with NUL, which no text of the
 * database can have.
 */
export async function readPiece(
  { db, org }: Context,
  owner: string,
  part: PiecePart,
  number: number,
): Promise<Buffer> {
  const rows = await db.rows(pieceSql.readText(org, owner, part, number)).catch((error) => {
    if (databaseFault(error)?.kind !== 'bad text') throw error
    return db.rows(pieceSql.readBytes(org, owner, part, number))
  })
  if (rows.length === 0) throw new Error('The results were deleted while they were read')
  return Buffer.from(rows[0]![0] as string | Uint8Array)
}

/** The bytes of pieces one after the other, with what stands before and behind them. The next one is read while one is sent. */
export async function* joinPieces(
  ctx: Context,
  owner: string,
  part: PiecePart,
  pieces: readonly StoredPiece[],
  before: readonly Uint8Array[],
  behind: readonly Uint8Array[] = [],
): AsyncGenerator<Uint8Array> {
  const endSparing = spareMemory()
  try {
    for (const bytes of before) if (bytes.length > 0) yield bytes
    const begin = (piece: StoredPiece | undefined) => {
      const reading = piece && readPiece(ctx, owner, part, piece.number)
      reading?.catch(() => {})
      return reading
    }
    let next = begin(pieces[0])
    for (let i = 0; next !== undefined; i++) {
      const bytes = await next
      next = begin(pieces[i + 1])
      yield bytes
    }
    for (const bytes of behind) if (bytes.length > 0) yield bytes
  } finally {
    endSparing()
  }
}
