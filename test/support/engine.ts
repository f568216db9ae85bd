import { after } from 'node:test'
import pg from 'pg'
import type { Engine } from '../../src/storage/db.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openEngine } from '../../src/storage/open-engine.ts'

const serverUrl = process.env.TEST_DATABASE_URL

/** Whether the suite runs on PostgreSQL, where several connections and processes may share a database. */
export const onPostgres = serverUrl !== undefined

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** An empty database of the suite's own, gone when the suite ends. */
async function makeDatabase(): Promise<string> {
  const name = `objectry_test_${process.pid}`
  await administer(`create database ${name}`)
  const url = new URL(serverUrl!)
  url.pathname = `/${name}`
  return url.href
}

async function open(): Promise<Engine> {
  const databaseUrl = onPostgres ? await makeDatabase() : undefined
  const engine = await openEngine({ databaseUrl, poolSize: 8, data: 'memory' })
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
  const url = new URL(serverUrl!)
  url.pathname = `/objectry_test_${process.pid}`
  return url.href
}

after(async () => {
  if (opened === undefined) return
  const engine = await opened
  await engine.close()
  if (onPostgres) await administer(`drop database if exists objectry_test_${process.pid} with (force)`)
})
