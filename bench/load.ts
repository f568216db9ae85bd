import { Agent, type IncomingMessage, request } from 'node:http'
import autocannon from 'autocannon'
import type { DatabaseCpu } from './processor-time.ts'
import type { BenchServer } from './server.ts'
import type { Shot, Workload } from './workloads.ts'

/** One of the servers that are compared. */
export interface Side {
  readonly name: 'ours' | 'baseline' | 'other' | 'large_ours' | 'large_baseline'
  readonly server: BenchServer
  /** Absent with the embedded engine: there the database is a part of the server's process. */
  readonly databaseCpu: DatabaseCpu | undefined
  /** Ids of all accounts. */
  readonly ids: readonly string[]
  readonly token: string
}

/** The measurements of one run. */
export interface Measure {
  /** Requests per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Processor time of the server and of the database, milliseconds per request. */
  readonly serverCpu: number
  readonly databaseCpu: number | undefined
}

type Fired = Pick<Measure, 'rate' | 'p50' | 'p99'> & { readonly sent: number }

/** Nothing is packed: the baseline does not, so it would be measured on one side only. */
export const makeHeaders = ({ token }: Side) => ({
  'accept-encoding': 'identity',
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

export const pathFor = ({ name }: Side, { path, baselinePath }: Shot) =>
  name.endsWith('baseline') ? (baselinePath ?? path) : path

/** No two requests of a bench are alike where they must not be. */
let serial = 1000

/** Fires one kind of request from many connections. A single answer above 299 fails the bench. */
async function fire(side: Side, { shot }: Workload, connections: number, seconds: number): Promise<Fired> {
  const headers = makeHeaders(side)
  let refusal = ''
  const { requests, latency, duration, non2xx, errors, timeouts } = await autocannon({
    url: side.server.origin,
    connections,
    duration: seconds,
    requests: [
      {
        onResponse: (status, body) => {
          if (status > 299) refusal = `${status} ${body}`
        },
        setupRequest: (prepared) => {
          const next = shot(serial++, side.ids)
          const body = next.body === undefined ? undefined : JSON.stringify(next.body)
          return { ...prepared, method: next.method, path: pathFor(side, next), headers, body }
        },
      },
    ],
  })
  const failed = non2xx + errors + timeouts
  if (failed > 0) throw new Error(`${failed} requests to ${side.name} failed: ${refusal}`)
  const { p50, p99 } = latency
  return { rate: requests.total / duration, p50, p99, sent: requests.sent }
}

/** Reads an answer. Only as much of it is decoded as it takes to find the next page. */
async function get(side: Side, path: string, agent: Agent): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(side.server.origin + path, { agent, headers: makeHeaders(side) }, resolve)
      .on('error', reject)
      .end()
  })
  let start = ''
  for await (const chunk of response) start ||= chunk.toString('latin1', 0, 500)
  if (response.statusCode !== 200) throw new Error(`${side.name} answered ${response.statusCode}: ${start}`)
  return start
}

/** Follows the pages to the end, on each connection. */
async function walk(side: Side, { shot }: Workload, connections: number): Promise<Fired> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const walkOnce = async () => {
    let next: string | undefined = pathFor(side, shot(0, side.ids))
    while (next !== undefined) {
      const start = performance.now()
      const text = await get(side, next, agent)
      times.push(performance.now() - start)
      next = /"nextRecordsUrl":"([^"]+)"/.exec(text)?.[1]
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, walkOnce))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const quantile = (q: number) => times[Math.floor((times.length - 1) * q)]!
  return { rate: times.length / seconds, p50: quantile(0.5), p99: quantile(0.99), sent: times.length }
}

/** Work that a server puts off until after an answer is a part of its cost. */
const SETTLE_MS = 300

/** One run of a workload on one side. */
export async function measure(
  side: Side,
  workload: Workload,
  connections: number,
  seconds: number,
): Promise<Measure> {
  const before = { server: side.server.cpu(), database: await side.databaseCpu?.read() }
  const run = workload.isWalk ? walk : fire
  const { sent, ...fired } = await run(side, workload, connections, seconds)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const database = await side.databaseCpu?.read()
  return {
    ...fired,
    serverCpu: (side.server.cpu() - before.server) / sent,
    databaseCpu: database === undefined ? undefined : (database - before.database!) / sent,
  }
}
