import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { afterFile } from './after-file.ts'
import { onPostgres } from './engine.ts'
import { makeOwnDatabase } from './own-database.ts'
import { type ServerProcess, startServer, type Variables } from './server-process.ts'
import { until } from './until.ts'

/* `objectry serve --processes`: several server processes on one port and one database. */

export const ON_POSTGRES = {
  skip: !onPostgres && 'the embedded engine belongs to one process',
}

export const APP = { clientId: 'tests', clientSecret: 'secret of the tests' }

interface Answer {
  readonly status: number
  readonly text: string
}

/** A call on a connection of its own: the processes take connections by turns. */
export async function call(
  { address }: ServerProcess,
  path: string,
  options: { readonly method?: string; readonly token?: string; readonly body?: unknown } = {},
): Promise<Answer> {
  const { method = 'GET', token, body } = options
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const agent = new Agent({ keepAlive: false })
  const sent = request(`${address}${path}`, { method, headers, agent })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() }
}

export const ACCOUNTS = '/services/data/v64.0/sobjects/Account'

export const create = (server: ServerProcess, token: string, Name: string) =>
  call(server, ACCOUNTS, { method: 'POST', token, body: { Name } })

export interface Line {
  readonly pid: number
  readonly msg: string
}

/** The log from now on. */
function readLog({ child }: ServerProcess): () => Line[] {
  let text = ''
  child.stdout!.on('data', (more) => {
    text += more
  })
  return () =>
    text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
}

/** The processes that answer requests. */
export async function findPids(server: ServerProcess, log: () => Line[], count = 2): Promise<number[]> {
  const from = log().length
  return until(async () => {
    await call(server, '/healthz')
    const lines = log().slice(from)
    const pids = new Set(lines.filter(({ msg }) => msg === 'request').map(({ pid }) => pid))
    return pids.size >= count ? [...pids] : undefined
  })
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const areGone = (pids: readonly number[]) => until(() => !pids.some(isAlive))

export const readiness = async (server: ServerProcess) => {
  const { status, text } = await call(server, '/readyz')
  return `${status} ${JSON.parse(text).status}`
}

/** The value of a metric: of the line that begins so. */
export async function readMetric(server: ServerProcess, series: string): Promise<number | undefined> {
  const { text } = await call(server, '/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

export const CHECKS = 'objectry_requests_total{endpoint="health",route="/healthz",method="GET",status="200"}'

/** Two processes on the database of the test file. */
export let variables: Variables

/** Makes the database; to be called before the tests of a file. */
export async function openDatabase(): Promise<void> {
  if (!onPostgres) return
  const database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'processes')
  afterFile(() => database.drop())
  variables = {
    DATABASE_URL: database.url,
    OBJECTRY_PROCESSES: '2',
    OBJECTRY_LOG_LEVEL: 'info',
    OBJECTRY_CLIENT_ID: APP.clientId,
    OBJECTRY_CLIENT_SECRET: APP.clientSecret,
  }
}

/** The settings with a database of its own, on which no server was started before. */
export async function makeFresh(purpose: string): Promise<Variables> {
  const { url, drop } = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, `processes_${purpose}`)
  afterFile(drop)
  return { ...variables, DATABASE_URL: url, OBJECTRY_CLIENT_ID: '', OBJECTRY_CLIENT_SECRET: '' }
}

/** Runs a server for a test, and kills it if the test has left it running. */
export async function withServer(
  settings: Variables,
  work: (server: ServerProcess, log: () => Line[]) => Promise<void>,
  command?: string,
): Promise<void> {
  const server = await startServer({ ...variables, ...settings }, [], [], command)
  try {
    await work(server, readLog(server))
  } finally {
    // The others end with the first one.
    server.child.kill('SIGKILL')
  }
}
