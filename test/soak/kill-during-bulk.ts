import { setTimeout as sleep } from 'node:timers/promises'
import { KilledServer } from '../support/killed-server.ts'
import { openCluster } from './kills/open-cluster.ts'
import { runKillSoak } from './kills/run-kill-soak.ts'

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

/** On a busy machine the database may not answer a start in time. */
const MAX_STARTS = 10

const emailOf = (round: number, n: number) => `r${round}.${n}@soak.example`

/** Calls the server, again while it or its database is too busy: then nothing was done. */
async function call(server: KilledServer, method: string, path: string, body?: unknown): Promise<string> {
  for (;;) {
    const { status, headers, text } = await server.send(method, path, body)
    if (status < 300) return text
    if (status !== 503 || (method !== 'GET' && !headers.has('retry-after')))
      throw new Error(`${method} ${path}: ${status} ${text}`)
    await sleep(1000)
  }
}

/** Kills the server, or its database, at random times until a job is complete, so many times at most. */
async function killDuring(
  server: KilledServer,
  path: string,
  maxKills: number,
  kill: () => Promise<unknown>,
): Promise<number> {
  for (let kills = 0; ; ) {
    const job = JSON.parse(await call(server, 'GET', path))
    if (job.state === 'JobComplete') return kills
    if (job.state === 'Failed') throw new Error(job.errorMessage)
    await sleep(200 + Math.random() * 1500)
    if (kills === maxKills || job.state !== 'InProgress') continue
    await kill()
    kills++
  }
}

/** The values of one column; no value has a quote or a comma. */
const columnOf = (csv: string, index: number) =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.slice(1, -1).split('","')[index]!)

function compare(what: string, found: readonly string[], wanted: ReadonlySet<string>): string[] {
  const distinct = new Set(found)
  const missing = [...wanted].filter((one) => !distinct.has(one)).slice(0, 5)
  const wrong = missing.map((one) => `${what}: ${one} is missing`)
  if (found.length !== wanted.size) wrong.push(`${what}: ${found.length} instead of ${wanted.size}`)
  return wrong
}

await runKillSoak({
  numbers: { rounds: 2, rows: 20_000, kills: 2 },
  flags: ['kill-database'],
  well: 'every row once',
  async *rounds(variables, { rounds, rows, kills: maxKills, 'kill-database': killsDatabase }) {
    const cluster = killsDatabase ? await openCluster() : undefined
    // A machine that is busy with the database must not look like one without it.
    const settings = { OBJECTRY_CONNECTION_SECONDS: '30', ...(cluster && { DATABASE_URL: cluster.url }) }
    try {
      const server = await KilledServer.start({ ...variables, ...settings }, MAX_STARTS)
      const kill = cluster?.kill ?? (() => server.restart())
      try {
        for (let round = 0; round < rounds; round++) {
          const wanted = new Set(Array.from({ length: rows }, (_, n) => emailOf(round, n)))
          const wrong: string[] = []
          let kills = 0
          for (const created of ['true', 'false']) {
            const upsert = { object: 'Contact', operation: 'upsert', externalIdFieldName: 'Email' }
            const { id } = JSON.parse(await call(server, 'POST', '/jobs/ingest', upsert))
            const path = `/jobs/ingest/${id}`
            const lines = [...wanted].map((email) => `${email},${created}\n`)
            await call(server, 'PUT', `${path}/batches`, `Email,LastName\n${lines.join('')}`)
            await call(server, 'PATCH', path, { state: 'UploadComplete' })
            kills += await killDuring(server, path, maxKills, kill)
            const job = JSON.parse(await call(server, 'GET', path))
            if (job.numberRecordsProcessed !== rows || job.numberRecordsFailed !== 0) {
              wrong.push(`${job.numberRecordsProcessed} processed, ${job.numberRecordsFailed} failed`)
            }
            const successful = await call(server, 'GET', `${path}/successfulResults`)
            wrong.push(...compare('results', columnOf(successful, 2), wanted))
            if (columnOf(successful, 1).some((one) => one !== created))
              wrong.push(`not all are created=${created}`)
          }
          const query = `SELECT Id, Email FROM Contact WHERE LastName = 'false' AND Email LIKE 'r${round}.%'`
          const { id } = JSON.parse(await call(server, 'POST', '/jobs/query', { operation: 'query', query }))
          kills += await killDuring(server, `/jobs/query/${id}`, 1, kill)
          const found = await call(server, 'GET', `/jobs/query/${id}/results`)
          wrong.push(...compare('records', columnOf(found, 1), wanted))
          yield { summary: `killed ${kills} times`, wrong }
        }
      } finally {
        await server.end()
      }
    } finally {
      await cluster?.remove()
    }
  },
})
