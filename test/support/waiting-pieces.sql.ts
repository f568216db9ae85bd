import { sql } from '../../src/base/sql.ts'
import type { Org } from '../../src/storage/orgs/org.ts'

const table = (org: Org) => sql.id(org.schemaName, '_waiting_bytes')

/** How many pieces of bytes wait for a record. */
export const waitingPieces = (org: Org) => sql`select count(*)::integer as count from ${table(org)}`

/** One that nobody will ask for. */
export const orphan = (org: Org) =>
  sql`insert into ${table(org)} (id, number, piece, stored_at) values ('orphan', 0, '', now() - interval '2 hours')`
