import { sql } from '../../src/base/sql.ts'

/** How many pieces of bytes wait for a record. */
export const waitingPieces = sql`select count(*)::integer as count from objectry.waiting_bytes`

/** One that nobody will ask for. */
export const orphan = sql`insert into objectry.waiting_bytes (id, number, piece, stored_at)
                          values ('orphan', 0, '', now() - interval '2 hours')`
