import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { PIECE_BYTES } from '../../storage/pass-bytes.ts'
import { archiveSql } from './archive.sql.ts'

/** Reads the archive of a job in pieces, so that no message holds all of it. */
export async function loadArchive(db: Db, org: Org, id: string): Promise<Buffer> {
  const [row] = await db.query<{ length: number | null }>(archiveSql.length(org, id))
  const pieces: Uint8Array[] = []
  for (let from = 0; from < (row?.length ?? 0); from += PIECE_BYTES) {
    const [read] = await db.query<{ piece: Uint8Array }>(archiveSql.piece(org, id, from, PIECE_BYTES))
    pieces.push(read!.piece)
  }
  return Buffer.concat(pieces)
}
