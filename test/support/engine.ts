import { after } from 'node:test'
import type { Engine } from '../../src/storage/db.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { makeOwnDatabase, type OwnDatabase } from './own-database.ts'

const serverUrl = process.env.TEST_DATABASE_URL

/** Whether the suite runs on PostgreSQL, where several connections and processes may share a database. */
export const onPostgres = serverUrl !== undefined

/** Options of suites whose processes start embedded engines of their own: one run of the two has them. */
export const ON_EMBEDDED = {
  skip: onPostgres && 'it starts embedded engines of its own: the run without TEST_DATABASE_URL has it',
}

let database: OwnDatabase | undefined

async function open(): Promise<Engine> {
  database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'test')
  const engine = await openEngine({ databaseUrl: database?.url, poolSize: 8, data: 'memory' })
  await migrate(engine.db)
  return engine
}

let opened: Promise<Engine> | undefined

/** The engine of this run of the suite: PGlite in memory, or the PostgreSQL that TEST_DATABASE_URL names. */
export function sharedEngine(): Promise<Engine> {
  opened ??= open()
  return opened
}

/** Address of the suite's own database, for tests that start a server of their own on it. */
export async function sharedDatabaseUrl(): Promise<string> {
  await sharedEngine()
  return database!.url
}

after(async () => {
  if (opened === undefined) return
  const engine = await opened
  await engine.close()
  await database?.drop()
})
