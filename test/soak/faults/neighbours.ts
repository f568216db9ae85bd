import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openProxy, type PausableProxy } from '../../support/pausable-proxy.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'
import { type Bounds, boundVariables, hangMs } from './bounds.ts'
import { callsBetween, maxWait } from './call-log.ts'
import { Load } from './load.ts'
import { findPostgres, PostgresCluster } from './postgres-cluster.ts'
import { readBack } from './read-back.ts'
import { makeTenants, type Tenants, tenantsAt } from './tenants.ts'

/** No call of the server that nothing happens to takes longer, in milliseconds. */
const MAX_WAIT_MS = 5000

/** The server that something happened to serves all kinds of calls again by then, in milliseconds. */
const MAX_RECOVERY_MS = 30_000

/** A connection is cut in the middle of an answer, after a random number of bytes of at most this. */
const CUT_WITHIN_BYTES = 20_000

/** How often a call is tried to see a recovery, in milliseconds. */
const CHECK_MS = 100

/** Two servers of one database; one has its connections by way of a proxy. */
interface Neighbours {
  readonly whole: Tenants
  readonly faulty: Tenants
  readonly server: ServerProcess
  readonly proxy: PausableProxy
  readonly bounds: Bounds
  close(): Promise<void>
}

interface Disturbance {
  begin(neighbours: Neighbours): void
  end(neighbours: Neighbours): void
}

const heal = ({ proxy }: Neighbours) => proxy.heal()

/** Disturbances of one of the servers. */
const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'connections freeze': { begin: ({ proxy }) => proxy.pause(), end: ({ proxy }) => proxy.resume() },
  'answers are lost': { begin: ({ proxy }) => proxy.swallowAnswers(), end: heal },
  'everything is lost': { begin: ({ proxy }) => proxy.swallow(), end: heal },
  'connections are cut': { begin: ({ proxy }) => proxy.cutWithin(CUT_WITHIN_BYTES), end: heal },
  SIGSTOP: {
    begin: ({ server }) => void server.child.kill('SIGSTOP'),
    end: ({ server }) => void server.child.kill('SIGCONT'),
  },
}

export interface NeighbourReport {
  readonly disturbance: string
  readonly holdMs: number
  /** Of the other server: its calls meanwhile, those that failed by answer, and the longest wait. */
  readonly calls: number
  readonly refused: ReadonlyMap<string, number>
  readonly maxMs: number
  /** After the end; undefined if it did not recover. */
  readonly recoveryMs: number | undefined
  readonly failures: readonly string[]
}

/** @returns why they cannot be had on this machine */
export async function openNeighbours(bounds: Bounds): Promise<Neighbours | string> {
  const programs = findPostgres()
  if (programs === undefined) return 'the programs of a PostgreSQL server (initdb, pg_ctl) are not installed'
  const folder = mkdtempSync(join(tmpdir(), 'objectry-cluster-'))
  const cluster = await PostgresCluster.start(programs, join(folder, 'data'), folder)
  const proxy = await openProxy(cluster.url())
  const variables = { ...boundVariables(bounds), OBJECTRY_POOL_SIZE: '8' }
  const other = await startServer({ ...variables, DATABASE_URL: cluster.url() })
  const server = await startServer({ ...variables, DATABASE_URL: proxy.url })
  const whole = await makeTenants(other)
  return {
    whole,
    faulty: await tenantsAt(server.address, whole),
    server,
    proxy,
    bounds,
    async close() {
      for (const one of [server, other]) await one.end('SIGKILL')
      proxy.close()
      await cluster.stop().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const between = (least: number, most: number) => least + Math.random() * (most - least)

async function findRecovery({ faulty }: Neighbours, since: number): Promise<number | undefined> {
  const client = faulty.first.client(MAX_RECOVERY_MS)
  while (performance.now() - since < MAX_RECOVERY_MS) {
    const answers = await Promise.all([
      client.call('POST', '/sobjects/Part__c', { Key__c: `recovery-${performance.now()}` }),
      client.query('SELECT Id FROM Part__c LIMIT 1'),
      client.token(faulty.first.credentials),
    ])
    if (answers.every(({ isOk }) => isOk)) return performance.now() - since
    await sleep(CHECK_MS)
  }
  return undefined
}

/** Both servers are under load, with records of their own. At some moment something happens to one, for some seconds. */
export async function tryRound(neighbours: Neighbours, round: number): Promise<NeighbourReport> {
  const names = Object.keys(DISTURBANCES)
  const disturbance = names[round % names.length]!
  const { whole, faulty, bounds } = neighbours
  const limitMs = hangMs(bounds)
  const other = await Load.begin(whole, `whole-${round}`, limitMs)
  const load = await Load.begin(faulty, `faulty-${round}`, limitMs)
  await sleep(between(500, 2500))
  const began = performance.now()
  const holdMs = between(1500, 12_000)
  DISTURBANCES[disturbance]!.begin(neighbours)
  await sleep(holdMs)
  DISTURBANCES[disturbance]!.end(neighbours)
  const recoveryMs = await findRecovery(neighbours, performance.now())
  await Promise.all([other.end(), load.end()])
  const calls = callsBetween(other.log, began, performance.now())
  const refused = new Map<string, number>()
  for (const { kind, answer, isOk } of calls) {
    if (!isOk) refused.set(`${kind} ${answer}`, (refused.get(`${kind} ${answer}`) ?? 0) + 1)
  }
  const maxMs = maxWait(calls)
  const failures: string[] = []
  const fail = (what: string) => void failures.push(`neighbours, round ${round}, ${disturbance}: ${what}`)
  for (const [answer, times] of refused) fail(`the other server answered ${answer} ×${times}`)
  if (maxMs > MAX_WAIT_MS) fail(`a call of the other server took ${Math.round(maxMs)} ms`)
  if (recoveryMs === undefined) fail('it did not recover')
  for (const { kind, answer } of load.log)
    if (answer.startsWith('500')) fail(`${kind} was answered ${answer}`)
  for (const [one, tenants] of [
    [other, whole],
    [load, whole],
  ] as const) {
    const { lost, torn, wrong } = await readBack(one, tenants)
    for (const what of [...lost, ...torn, ...wrong, ...one.wrong]) fail(what)
  }
  return { disturbance, holdMs, calls: calls.length, refused, maxMs, recoveryMs, failures }
}

const seconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? 'never' : `${(milliseconds / 1000).toFixed(1)} s`

export function describeRound({
  disturbance,
  holdMs,
  calls,
  maxMs,
  recoveryMs,
  failures,
}: NeighbourReport): string {
  const what = `${disturbance} for ${seconds(holdMs)}: ${calls} calls of the other server, longest ${seconds(maxMs)}`
  const judged = failures.length === 0 ? ['  all well'] : failures.map((failure) => `  FAILED ${failure}`)
  return [`${what}; recovery after ${seconds(recoveryMs)}`, ...judged].join('\n')
}

export function summarizeRounds(reports: readonly NeighbourReport[]): string {
  const calls = reports.reduce((sum, report) => sum + report.calls, 0)
  const refused = reports.flatMap((report) => [...report.refused.values()]).reduce((sum, n) => sum + n, 0)
  const longest = Math.max(...reports.map(({ maxMs }) => maxMs))
  const recovery = Math.max(...reports.map(({ recoveryMs = Number.POSITIVE_INFINITY }) => recoveryMs))
  const failed = reports.filter(({ failures }) => failures.length > 0).length
  return `neighbours: ${reports.length} rounds, ${failed} failed; the other server: ${calls} calls, ${refused} refused, longest ${seconds(longest)}; longest recovery ${seconds(recovery)}`
}
