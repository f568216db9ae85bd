import { Agent, type IncomingMessage, request } from 'node:http'
import autocannon from 'autocannon'
import type { PeerWorks } from './peer-shots.ts'
import type { DatabaseCpu } from './processor-time.ts'
import type { BenchServer } from './server.ts'
import type { NamedWorkload, Shot } from './workloads.ts'

/** One of the servers that are compared. */
export interface Side {
  readonly name:
    | 'ours'
    | 'baseline'
    | 'other'
    | 'large_ours'
    | 'large_baseline'
    | 'postgraphile'
    | 'parse'
    | 'cluster'
  readonly server: BenchServer
  /** Absent with the embedded engine: there the database is a part of the server's process. */
  readonly databaseCpu: DatabaseCpu | undefined
  /** Ids of all accounts. */
  readonly ids: readonly string[]
  /** By which it knows its client. */
  readonly headers: Readonly<Record<string, string>>
  /** Present for a peer, which is asked in another language: its requests, by the names of workloads. */
  readonly works?: PeerWorks
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
export const makeHeaders = ({ headers }: Side) => ({
  ...headers,
  'accept-encoding': 'identity',
  'content-type': 'application/json',
})

export const pathFor = ({ name }: Side, { path, baselinePath }: Shot) =>
  name.endsWith('baseline') ? (baselinePath ?? path) : path

/** No two requests of a bench are alike where they must not be. */
let serial = 1000

/** GraphQL tells errors with the status of a success. */
const hasErrors = (side: Side, body: string) => side.works !== undefined && body.includes('"errors":[')

/** Fires one kind of request from many connections. A single answer above 299 or with errors fails the bench. */
async function fire(
  side: Side,
  workload: NamedWorkload,
  connections: number,
  seconds: number,
): Promise<Fired> {
  const { shot } = side.works?.[workload.name] ?? workload
  const headers = makeHeaders(side)
  let refusal = ''
  const { requests, latency, duration, non2xx, errors, timeouts } = await autocannon({
    url: side.server.origin,
    connections,
    duration: seconds,
    requests: [
      {
        onResponse: (status, body) => {
          if (status > 299 || hasErrors(side, body)) refusal = `${status} ${body}`
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
  if (failed > 0 || refusal !== '') {
    throw new Error(`${failed} requests to ${side.name} failed: ${refusal}`)
  }
  const { p50, p99 } = latency
  return { rate: requests.total / duration, p50, p99, sent: requests.sent }
}

/** How much of the beginning and of the end of an answer is decoded: enough to find the next page. */
const EDGE = 500

/** Reads an answer, and gives its beginning and its end. */
async function read(side: Side, { method, path, body }: Shot, agent: Agent): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(side.server.origin + path, { agent, method, headers: makeHeaders(side) }, resolve)
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })
  let start = ''
  let end = ''
  for await (const chunk of response) {
    start ||= chunk.toString('latin1', 0, EDGE)
    end = (end + chunk.toString('latin1', Math.max(0, chunk.length - EDGE))).slice(-EDGE)
  }
  if (response.statusCode !== 200) throw new Error(`${side.name} answered ${response.statusCode}: ${start}`)
  return `${start} ${end}`
}

/** The pages of ours and of the baseline. */
function* followLocators(path: string): Generator<Shot, void, string> {
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer: string = yield { method: 'GET', path: next }
    next = /"nextRecordsUrl":"([^"]+)"/.exec(answer)?.[1]
  }
}

/** Follows the pages to the end, on each connection. */
async function walk(side: Side, { name, shot }: NamedWorkload, connections: number): Promise<Fired> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const walkOnce = async () => {
    const pages = side.works?.[name]?.pages?.() ?? followLocators(pathFor(side, shot(0, side.ids)))
    for (let next = pages.next(); !next.done; ) {
      const start = performance.now()
      const text = await read(side, next.value, agent)
      times.push(performance.now() - start)
      next = pages.next(text)
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
  workload: NamedWorkload,
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
