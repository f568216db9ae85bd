import { createHash, randomUUID } from 'node:crypto'
import type { Sql } from '../base/sql.ts'
import { bytesSql } from './bytes.sql.ts'
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

/** True for bytes of more than one piece. */
export const isLarge = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value.length > PIECE_BYTES

/**
 * Sends a statement whose values may be large: a value of more than one piece is sent ahead in pieces, so that no
 * message holds all of it.
 */
export async function queryWithBytes<Row>(db: Db, org: Org, statement: Sql): Promise<Row[]> {
  const large = [...statement.values.entries()].filter(([, value]) => isLarge(value))
  const waiting = new Map(
    [...statement.values.entries()].flatMap(([index, value]) =>
      value instanceof WaitingBytes ? [[index, value.id] as const] : [],
    ),
  )
  if (large.length === 0) {
    return db.query(waiting.size === 0 ? statement : bytesSql.filledIn(org, statement, waiting))
  }
  return db.transaction(async (tx) => {
    const own: string[] = []
    for (const [index, value] of large) {
      const id = randomUUID()
      own.push(id)
      waiting.set(index, id)
      let number = 0
      for await (const piece of splitIntoPieces([value as Uint8Array])) {
        await tx.query(bytesSql.store(org, id, number++, piece))
      }
    }
    const rows = await tx.query<Row>(bytesSql.filledIn(org, statement, waiting))
    await tx.query(bytesSql.discard(org, own))
    return rows
  })
}
