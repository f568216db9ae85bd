import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bulkUnderLoad } from '../support/bulk-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'
import { sendDirectly } from './faults/fault-client.ts'
import { findPostgres, PostgresCluster } from './faults/postgres-cluster.ts'
import { faultSql } from './faults/statements.sql.ts'

/*
 * Kills the server with -9 in the middle of bulk upserts and queries, again and again, and looks whether every row is there once,
 * and in the results once:
 *
 *   npm run soak -- kill-during-bulk                 on the embedded engine
 *   npm run soak -- kill-during-bulk --rounds 5 --rows 200000 --kills 3 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *   npm run soak -- kill-during-bulk --kill-database     the database, a cluster of its own, instead of the server
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. `--kills` is how often
 * the server is killed in each job at most. Ends with 1 when a row is missing or there twice.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    rows: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '2' },
    'database-url': { type: 'string' },
    'kill-database': { type: 'boolean', default: false },
  },
})
const [rounds, rows, kills] = [values.rounds, values.rows, values.kills].map(Number) as [
  number,
  number,
  number,
]
const serverUrl = values['database-url']

const ROLE = 'records'
const NO_LIMIT = -1

/** A PostgreSQL cluster of its own, which is restarted at once. */
async function openCluster() {
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
    breakDatabase: () => cluster.restart('immediate').begin(),
    async drop() {
      await cluster.stop().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const data = makeDataFolder()
const cluster = values['kill-database'] ? await openCluster() : undefined
const database =
  cluster ?? (serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak_bulk'))
const variables: Variables =
  database === undefined ? { OBJECTRY_DATA: data.data } : { DATABASE_URL: database.url }
let round = 0
let wrongAny = false
try {
  const options = { rounds, rows, kills, breakDatabase: cluster?.breakDatabase }
  for await (const { kills: killed, wrong } of bulkUnderLoad(variables, options)) {
    round++
    wrongAny ||= wrong.length > 0
    const verdict = wrong.length === 0 ? 'every row once' : `WRONG ${wrong.length}: ${wrong.join('; ')}`
    process.stdout.write(`round ${round} of ${rounds}: killed ${killed} times, ${verdict}\n`)
  }
} finally {
  data.remove()
  await database?.drop()
}
process.exit(wrongAny ? 1 : 0)
