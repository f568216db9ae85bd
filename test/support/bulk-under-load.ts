import { setTimeout as sleep } from 'node:timers/promises'
import { fetchToken, type ServerProcess, startServer, type Variables } from './server-process.ts'

/** The end of a job whose server was killed again and again. */
interface BulkRound {
  readonly kills: number
  /** Rows that are not there, or more than once, or that the results tell otherwise. */
  readonly wrong: readonly string[]
}

const CREDENTIALS = { clientId: 'soak', clientSecret: 'a secret of the soak test' }
const SETTINGS = {
  // A machine that is busy with the database must not look like one without it.
  OBJECTRY_CONNECTION_SECONDS: '30',
  OBJECTRY_CLIENT_ID: CREDENTIALS.clientId,
  OBJECTRY_CLIENT_SECRET: CREDENTIALS.clientSecret,
}

const MAX_STARTS = 10

const emailOf = (round: number, n: number) => `r${round}.${n}@soak.example`

/** Calls a server that is killed and started again. */
class Client {
  readonly #variables: Variables
  readonly #breakDatabase: (() => Promise<void>) | undefined
  #server: ServerProcess | undefined
  #token = ''

  constructor(variables: Variables, breakDatabase: (() => Promise<void>) | undefined) {
    this.#breakDatabase = breakDatabase
    this.#variables = { ...variables, ...SETTINGS }
  }

  async start(): Promise<void> {
    this.#server = undefined
    // On a busy machine the database may not answer a start in time.
    for (let tries = 1; this.#server === undefined; tries++) {
      this.#server = await startServer(this.#variables).catch((error) => {
        if (tries === MAX_STARTS) throw error
        return undefined
      })
    }
    this.#token = await fetchToken(this.#server.address, CREDENTIALS)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.#server?.end(signal)
  }

  async call(method: string, path: string, body?: string, type = 'application/json'): Promise<string> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': type }
    const url = `${this.#server!.address}/services/data/v64.0${path}`
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
    const text = await response.text()
    // The server, or its database, is too busy: nothing was done.
    if (response.status === 503 && (method === 'GET' || response.headers.has('retry-after'))) {
      await sleep(1000)
      return this.call(method, path, body, type)
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text
  }

  async #kill(): Promise<void> {
    if (this.#breakDatabase !== undefined) return this.#breakDatabase()
    await this.end('SIGKILL')
    await this.start()
  }

  /** Kills the server, or its database, at random times until a job is complete, so many times at most. */
  async killDuring(path: string, maxKills: number): Promise<number> {
    for (let kills = 0; ; ) {
      const job = JSON.parse(await this.call('GET', path))
      if (job.state === 'JobComplete') return kills
      if (job.state === 'Failed') throw new Error(job.errorMessage)
      await sleep(200 + Math.random() * 1500)
      if (kills === maxKills || job.state !== 'InProgress') continue
      await this.#kill()
      kills++
    }
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

/** Upserts rows and queries them, and kills the server in the middle of both jobs. */
export async function* bulkUnderLoad(
  variables: Variables,
  {
    rounds,
    rows,
    kills: maxKills,
    breakDatabase,
  }: {
    readonly rounds: number
    readonly rows: number
    readonly kills: number
    /** Instead of the server. */
    readonly breakDatabase?: (() => Promise<void>) | undefined
  },
): AsyncGenerator<BulkRound> {
  const client = new Client(variables, breakDatabase)
  await client.start()
  try {
    for (let round = 0; round < rounds; round++) {
      const wanted = new Set(Array.from({ length: rows }, (_, n) => emailOf(round, n)))
      const wrong: string[] = []
      let kills = 0
      for (const created of ['true', 'false']) {
        const upsert = { object: 'Contact', operation: 'upsert', externalIdFieldName: 'Email' }
        const { id } = JSON.parse(await client.call('POST', '/jobs/ingest', JSON.stringify(upsert)))
        const path = `/jobs/ingest/${id}`
        const lines = [...wanted].map((email) => `${email},${created}\n`)
        await client.call('PUT', `${path}/batches`, `Email,LastName\n${lines.join('')}`, 'text/csv')
        await client.call('PATCH', path, '{"state":"UploadComplete"}')
        kills += await client.killDuring(path, maxKills)
        const job = JSON.parse(await client.call('GET', path))
        if (job.numberRecordsProcessed !== rows || job.numberRecordsFailed !== 0) {
          wrong.push(`${job.numberRecordsProcessed} processed, ${job.numberRecordsFailed} failed`)
        }
        const successful = await client.call('GET', `${path}/successfulResults`)
        wrong.push(...compare('results', columnOf(successful, 2), wanted))
        if (columnOf(successful, 1).some((one) => one !== created))
          wrong.push(`not all are created=${created}`)
      }
      const query = `SELECT Id, Email FROM Contact WHERE LastName = 'false' AND Email LIKE 'r${round}.%'`
      const { id } = JSON.parse(
        await client.call('POST', '/jobs/query', JSON.stringify({ operation: 'query', query })),
      )
      kills += await client.killDuring(`/jobs/query/${id}`, 1)
      const found = await client.call('GET', `/jobs/query/${id}/results`)
      wrong.push(...compare('records', columnOf(found, 1), wanted))
      yield { kills, wrong }
    }
  } finally {
    await client.end('SIGTERM')
  }
}
