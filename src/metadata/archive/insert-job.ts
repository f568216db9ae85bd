import type { Sql } from '../../base/sql.ts'
import type { Db, WaitingBytes } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { insertWithBytes, isSentApart } from '../../storage/pass-bytes.ts'
import { archiveSql } from './archive.sql.ts'

/**
 * Inserts a job with its archive, which may be large.
 * @param makeInsert makes the statement with the archive; null: the job gets it afterwards
 */
export function insertJob(
  tx: Db,
  org: Org,
  id: string,
  archive: Uint8Array | WaitingBytes,
  makeInsert: (archive: Uint8Array | null) => Sql,
): Promise<void> {
  if (!isSentApart(archive)) return insertWithBytes(tx, org, makeInsert(archive))
  const bytes = new Map([['archive', archive]])
  return insertWithBytes(tx, org, makeInsert(null), { ...archiveSql.job(org, id), bytes })
}
