import { createHash, randomUUID } from 'node:crypto'
import type { Sql } from '../base/sql.ts'
import { bytesSql, type FilledRow } from './bytes.sql.ts'
import { type Db, WaitingBytes } from './database/db.ts'
import type { Org } from './orgs/org.ts'

/** Maximum size of the pieces in which bytes are sent to and received from the database. */
export const PIECE_BYTES = 1024 * 1024

/** Splits a stream into pieces of one size; the last one may be smaller. Holds one of them in memory at a time. */
export async function* splitIntoPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  let filled = 0
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + PIECE_BYTES - filled)
      piece.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled < PIECE_BYTES) continue
      yield piece
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

/**
 * Receives bytes of any length: what exceeds one piece is stored in the database to wait there. The caller must discard
 * it in the end.
 * @returns null if there are no bytes
 */
export async function takeIn(
  db: Db,
  org: Org,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Buffer | WaitingBytes | null> {
  const id = randomUUID()
  const hash = createHash('md5')
  let length = 0
  let number = 0
  let first: Buffer | undefined
  try {
    for await (const piece of splitIntoPieces(chunks)) {
      length += piece.length
      hash.update(piece)
      if (number++ === 0) {
        first = Buffer.from(piece)
        continue
      }
      if (first !== undefined) {
        await db.query(bytesSql.discardOld(org))
        await db.query(bytesSql.store(org, id, 0, first))
        first = undefined
      }
      await db.query(bytesSql.store(org, id, number, piece))
    }
  } catch (error) {
    if (first === undefined) await db.query(bytesSql.discard(org, [id]))
    throw error
  }
  if (length === 0) return null
  return first ?? new WaitingBytes(id, length, hash.digest('hex'))
}

/** Deletes waiting bytes that are no longer needed. */
export async function discard(db: Db, org: Org, waiting: readonly WaitingBytes[]): Promise<void> {
  if (waiting.length > 0)
    await db.query(
      bytesSql.discard(
        org,
        waiting.map(({ id }) => id),
      ),
    )
}

/** True for bytes of more than one piece that are in memory. */
export const isLarge = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value.length > PIECE_BYTES

/** True for bytes that are no value of the statement which writes their row, because no message should hold all of them. */
export const isSentApart = (value: unknown): value is Uint8Array | WaitingBytes =>
  value instanceof WaitingBytes || isLarge(value)

/** Bytes that a row gets once it is written, by column. */
export interface BytesOfRow extends FilledRow {
  readonly bytes: ReadonlyMap<string, Uint8Array | WaitingBytes>
}

/** Puts bytes into a row that was written in the same transaction. */
async function fillRow(tx: Db, org: Org, row: BytesOfRow): Promise<void> {
  for (const [column, bytes] of row.bytes) {
    if (bytes instanceof WaitingBytes) {
      await tx.query(bytesSql.fill(org, row, column, bytes.id))
      continue
    }
    const id = randomUUID()
    let number = 0
    for await (const piece of splitIntoPieces([bytes])) {
      await tx.query(bytesSql.store(org, id, number++, piece))
    }
    await tx.query(bytesSql.fill(org, row, column, id))
    await tx.query(bytesSql.discard(org, [id]))
  }
}

/** Inserts a row, and puts the bytes into it that its statement does not have. */
export async function insertWithBytes(db: Db, org: Org, insert: Sql, row?: BytesOfRow): Promise<void> {
  if (row === undefined) {
    await db.query(insert)
    return
  }
  await db.transaction(async (tx) => {
    await tx.query(insert)
    await fillRow(tx, org, row)
  })
}

/**
 * Changes a row likewise.
 * @param update returns a row unless there is none to change
 */
export async function updateWithBytes<Row>(db: Db, org: Org, update: Sql, row?: BytesOfRow): Promise<Row[]> {
  if (row === undefined) return db.query(update)
  return db.transaction(async (tx) => {
    const rows = await tx.query<Row>(update)
    if (rows.length > 0) await fillRow(tx, org, row)
    return rows
  })
}
