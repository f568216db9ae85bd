import type { Config } from '../../config/config.ts'
import type { Db, Engine } from '../../storage/database/db.ts'
import { openEngine } from '../../storage/open-engine.ts'
import { checkPostgres } from '../../storage/postgres/check-postgres.ts'
import { getErrorMessage } from '../command/get-error-message.ts'
import { checkDatabaseSql } from './check-database.sql.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** How long a connection and a statement may take, in seconds. */
const PATIENCE_SECONDS = 5

/** Duration of a statement in a healthy network, in milliseconds. */
const SLOW_MS = 20

/** Differences of the clocks that make tokens and audit fields wrong, in milliseconds. */
const CLOCK_DIFFERENCE_MS = 2000

interface Properties {
  readonly version: string
  readonly name: string
  readonly mayCreate: boolean
  readonly isInUse: boolean
  readonly now: number
}

/** The shortest of a few statements, in milliseconds. */
async function measureLatency(db: Db): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    await db.query(checkDatabaseSql.ping)
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}

async function examine(db: Db): Promise<Finding[]> {
  // It names the remedy for an old version, another encoding and a locale without letters.
  const flaw = await checkPostgres(db)
  const [properties] = await db.query<Properties>(checkDatabaseSql.properties)
  const { version, name, mayCreate, isInUse, now } = properties!
  const aheadMs = Math.round(now - Date.now())
  const latency = await measureLatency(db)
  const state = isInUse ? 'has orgs' : 'empty: the first start makes the tables'
  return [
    flaw === undefined
      ? ok('database', `PostgreSQL ${version}, ${name}, ${state}`)
      : warning('database', flaw, 'See the message.'),
    mayCreate
      ? ok('database rights', 'may create schemas')
      : problem(
          'database rights',
          `may not create schemas in ${name}`,
          `grant create on database ${name} to <user>`,
        ),
    latency > SLOW_MS
      ? warning(
          'database latency',
          `${latency.toFixed(1)} ms for a statement`,
          'Run the server nearer to the database.',
        )
      : ok('database latency', `${latency.toFixed(1)} ms for a statement`),
    Math.abs(aheadMs) > CLOCK_DIFFERENCE_MS
      ? warning(
          'clock',
          `the database is ${aheadMs} ms ahead of this machine`,
          'Synchronize both clocks (NTP).',
        )
      : ok('clock', 'that of the database is the same'),
  ]
}

/** PostgreSQL: whether it can be reached and is what Objectry needs. Nothing is written. */
export async function checkDatabase(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl } = config
  if (databaseUrl === undefined) return [ok('database', 'embedded')]
  const bounds = { statementSeconds: PATIENCE_SECONDS, connectionSeconds: PATIENCE_SECONDS, poolSize: 1 }
  let engine: Engine | undefined
  try {
    engine = await openEngine({ ...config, ...bounds })
    return await examine(engine.db)
  } catch (error) {
    const { host } = new URL(databaseUrl)
    const remedy = `See that PostgreSQL 15 or newer runs at ${host || 'the address'}, and that DATABASE_URL is right.`
    return [problem('database', getErrorMessage(error), remedy)]
  } finally {
    await engine?.close()
  }
}
