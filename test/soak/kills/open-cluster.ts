import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendDirectly } from '../faults/fault-client.ts'
import { findPostgres, PostgresCluster } from '../faults/postgres-cluster.ts'
import { faultSql } from '../faults/statements.sql.ts'

const ROLE = 'records'
const NO_LIMIT = -1

/** A PostgreSQL cluster of its own, which is restarted at once. */
export async function openCluster() {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('initdb and pg_ctl are not installed')
  const folder = mkdtempSync(join(tmpdir(), 'objectry-cluster-'))
  const cluster = await PostgresCluster.start(programs, join(folder, 'data'), folder)
  await sendDirectly(cluster.url(), [
    faultSql.createRole(ROLE, NO_LIMIT, ROLE),
    faultSql.createDatabase(ROLE, ROLE),
  ])
  return {
    url: cluster.url(ROLE, ROLE),
    kill: () => cluster.restart('immediate').begin(),
    async remove() {
      await cluster.stop().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
