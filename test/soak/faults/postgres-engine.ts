import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProxy } from '../../support/pausable-proxy.ts'
import type { Bounds } from './bounds.ts'
import { lockTable, readOnly, stopBackends, takeConnections, terminate } from './database-faults.ts'
import type { Fault, SkippedFault } from './fault.ts'
import { sendDirectly } from './fault-client.ts'
import { networkFaults } from './network-faults.ts'
import { findPostgres, PostgresCluster } from './postgres-cluster.ts'
import { kill } from './process-faults.ts'
import { Site } from './site.ts'
import { diskFull, mountSmallDisk } from './small-disk.ts'
import { faultSql } from './statements.sql.ts'

/** A server on some engine, and what can happen to it. */
export interface FaultyEngine {
  readonly site: Site
  readonly faults: readonly (Fault | SkippedFault)[]
  close(): Promise<void>
}

const ROLE = 'records'

/** More than any client takes: only `max_connections` counts. */
const NO_LIMIT = -1

/** @returns why it cannot be had on this machine */
export async function openPostgresEngine(bounds: Bounds): Promise<FaultyEngine | string> {
  const programs = findPostgres()
  if (programs === undefined) return 'the programs of a PostgreSQL server (initdb, pg_ctl) are not installed'
  const folder = mkdtempSync(join(tmpdir(), 'objectry-cluster-'))
  const disk = mountSmallDisk()
  const dataFolder = typeof disk === 'string' ? join(folder, 'data') : disk.folder
  const cluster = await PostgresCluster.start(programs, dataFolder, folder)
  await sendDirectly(cluster.url(), [
    faultSql.createRole(ROLE, NO_LIMIT, ROLE),
    faultSql.createDatabase(ROLE, ROLE),
  ])
  const adminUrl = cluster.url(ROLE)
  const url = cluster.url(ROLE, ROLE)
  const proxy = await openProxy(url)
  const site = await Site.open({ DATABASE_URL: proxy.url }, bounds)
  return {
    site,
    faults: [
      kill(site),
      cluster.restart('immediate'),
      cluster.restart('fast'),
      terminate(adminUrl),
      stopBackends(adminUrl),
      ...Object.values(networkFaults(proxy)),
      takeConnections(adminUrl, url),
      readOnly(adminUrl, faultSql.setServerReadOnly),
      lockTable(adminUrl),
      typeof disk === 'string'
        ? { name: 'disk-full', skip: disk }
        : { ...diskFull(disk, () => cluster.startIfStopped()), keepsReads: true },
    ],
    async close() {
      await site.close()
      proxy.close()
      await cluster.stop().catch(() => {})
      if (typeof disk !== 'string') disk.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
