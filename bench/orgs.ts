import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { makeDatabase } from './database.ts'
import { SETTINGS } from './environment.ts'
import { median } from './median.ts'
import { startOurs } from './server.ts'

/*
 * `node bench/orgs.ts`: one server with many orgs: how long an org takes to make, how long its first call takes after all
 * others were called, and the memory of the server and of its database connections; then, with all of them, how long a start takes that
 * finds nothing new, and how long a new field takes to all orgs. Options: --orgs 100, --at 1,10,100.
 */
const { values: options } = parseArgs({
  options: { orgs: { type: 'string', default: '100' }, at: { type: 'string', default: '1,10,100' } },
})

const DATA = '/services/data/v64.0'
const CLIENT = { OBJECTRY_CLIENT_ID: 'bench', OBJECTRY_CLIENT_SECRET: 'bench-secret-of-the-first-app' }

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

const { url, drop } = await makeDatabase('orgs')
const deployment = mkdtempSync(join(tmpdir(), 'objectry-bench-'))
mkdirSync(join(deployment, 'objects'))

/** Writes the deployment of the server. */
function defineBox(...fields: string[]): void {
  const texts = fields.map((name) => `  ${name}: { type: string, length: 20 }\n`)
  writeFileSync(join(deployment, 'objects/Box__c.yaml'), `fields:\n${texts.join('')}`)
}

defineBox('A__c')
const start = () =>
  startOurs({
    ...SETTINGS,
    ...CLIENT,
    DATABASE_URL: url,
    OBJECTRY_DATA: 'memory',
    OBJECTRY_DEPLOYMENT: deployment,
  })
let server = await start()
const admin = new pg.Client({ connectionString: url })
await admin.connect()

async function call(token: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${server.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function takeToken({ clientId, clientSecret }: Credentials): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const response = await fetch(`${server.origin}/services/oauth2/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const began = performance.now()
  return { result: await work(), ms: performance.now() - began }
}

/** Memory of the largest database connection of the server in MiB, without what it shares with others (Linux only). */
async function readLargestConnection(): Promise<number> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  const sizes = rows.map(({ pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/RssAnon:\s+(\d+)/.exec(status)![1]) / 1024
  })
  return Math.max(0, ...sizes)
}

const quantile = (times: readonly number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!

const round = (number: number) => String(Math.round(number))

try {
  const first = await takeToken({ clientId: 'bench', clientSecret: CLIENT.OBJECTRY_CLIENT_SECRET })
  const marks = options.at.split(',').map(Number)
  const lines: string[][] = []
  const tokens: string[] = []
  for (let number = 1; number <= Number(options.orgs); number++) {
    const made = await timed(() => call(first, '/setup/orgs', { name: `Org ${number}` }))
    tokens.push(await takeToken(made.result as Credentials))
    if (!marks.includes(number)) continue
    const colds: number[] = []
    const warms: number[] = []
    for (const token of tokens) {
      const read = () => call(token, `${DATA}/query?q=SELECT+Id,Name+FROM+Account+LIMIT+10`)
      colds.push((await timed(read)).ms)
      await call(token, `${DATA}/sobjects/Account`, { Name: 'Bench' })
      warms.push((await timed(read)).ms)
    }
    lines.push([
      String(number),
      round(made.ms),
      `${round(median(colds))}, ${round(quantile(colds, 0.95))}`,
      round(median(warms)),
      round(server.memory()),
      round(await readLargestConnection()),
    ])
    process.stderr.write(`${lines.at(-1)!.join(' ')}\n`)
  }
  await server.stop()
  const unchanged = await timed(start)
  await unchanged.result.stop()
  defineBox('A__c', 'B__c')
  const changed = await timed(async () => {
    server = await start()
  })
  const token = await takeToken({ clientId: 'bench', clientSecret: CLIENT.OBJECTRY_CLIENT_SECRET })
  const spread = await timed(async () => {
    while (((await call(token, '/setup/schema')) as { pending: number }).pending > 0) await sleep(100)
  })
  console.log(
    '| orgs | made in ms | first call of each p50, p95 ms | second read p50 ms | server MiB | largest connection MiB |',
  )
  console.log('|---|---|---|---|---|---|')
  for (const line of lines) console.log(`| ${line.join(' | ')} |`)
  console.log(
    `A start that finds nothing new: ${round(unchanged.ms)} ms; with a new field: ${round(changed.ms)} ms`,
  )
  console.log(
    `The field in all ${options.orgs} orgs, while the server serves: ${(spread.ms / 1000).toFixed(1)} s`,
  )
} finally {
  await admin.end()
  await server.stop()
  await drop()
  rmSync(deployment, { recursive: true })
}
