import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeDatabase } from './database.ts'
import { SETTINGS } from './environment.ts'
import { median } from './median.ts'
import { startOurs } from './server.ts'

/*
 * `node bench/events.ts`: what events cost and how fast they come: writes of objects that are selected for change events as a share of the same writes of
 * others, platform events that are published through collections, the memory of clients whose connects are held, and how long an event takes to all of them.
 * Options: --clients 2000, --subscribers 1000, --seconds 4, --rounds 3, --only writes,publish,latency,memory, --kinds create,update (of writes).
 * The memory is that of a server that has just been started if it is the only part.
 */
const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '2000' },
    subscribers: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'writes,publish,latency' },
    kinds: { type: 'string', default: '' },
  },
})

const CLIENT = { OBJECTRY_CLIENT_ID: 'bench', OBJECTRY_CLIENT_SECRET: 'bench-secret-of-the-first-app' }
const CONNECTIONS = 16
/** Clients that are opened at a time. */
const LANES = 5
const SECONDS = Number(options.seconds)

const { url, drop } = await makeDatabase('events')
const deployment = mkdtempSync(join(tmpdir(), 'objectry-bench-'))
mkdirSync(join(deployment, 'objects'))
const THING = '  Text__c: { type: string, length: 80 }\n  Other__c: { type: string, length: 80 }\n'
writeFileSync(join(deployment, 'objects/Quiet__c.yaml'), `fields:\n${THING}`)
writeFileSync(join(deployment, 'objects/Told__c.yaml'), `changeEvents: true\nfields:\n${THING}`)
writeFileSync(join(deployment, 'objects/Done__e.yaml'), 'fields:\n  Text__c: { type: string, length: 80 }\n')

const server = await startOurs({
  ...SETTINGS,
  ...CLIENT,
  DATABASE_URL: url,
  OBJECTRY_DATA: 'memory',
  OBJECTRY_DEPLOYMENT: deployment,
  OBJECTRY_EDITION: 'unlimited',
  OBJECTRY_DELIVERED_EVENTS: 'unlimited',
  OBJECTRY_PUBLISHED_EVENTS: 'unlimited',
})
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
let token = ''

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type Answer = any

function send(method: string, path: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(`${server.origin}${path}`, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => {
        if (response.statusCode! >= 300) reject(new Error(`${path}: ${response.statusCode} ${text}`))
        else resolve(text === '' ? undefined : JSON.parse(text))
      })
    })
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const DATA = '/services/data/v64.0'
const quantile = (times: readonly number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!

/** Repeats a work on several connections for some seconds; gives how often in a second. */
async function measureRate(work: (n: number) => Promise<unknown>): Promise<number> {
  let count = 0
  const began = performance.now()
  const end = began + SECONDS * 1000
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) await work(count++)
    }),
  )
  return count / ((performance.now() - began) / 1000)
}

/** Writes of one object by each way. */
function writesOf(object: string, ids: readonly string[]) {
  const url = `${DATA}/sobjects/${object}`
  const make = (n: number) => ({ Name: `n${n}`, Text__c: `text ${n}` })
  const steps = (n: number) => ({
    allOrNone: true,
    compositeRequest: Array.from({ length: 25 }, (_, step) => ({
      ...(step < 15
        ? { method: 'POST', url, body: make(n) }
        : {
            method: 'PATCH',
            url: `${url}/${ids[(n * 10 + step) % ids.length]}`,
            body: { Text__c: `s ${n} ${step}` },
          }),
      referenceId: `r${step}`,
    })),
  })
  const records = (n: number) =>
    Array.from({ length: 200 }, (_, at) => ({ attributes: { type: object }, ...make(n * 200 + at) }))
  return {
    create: (n: number) => send('POST', url, make(n)),
    update: (n: number) =>
      send('PATCH', `${url}/${ids[n % ids.length]}`, { Text__c: `u ${n} ${Math.random()}` }),
    'composite of 15 + 10': (n: number) => send('POST', `${DATA}/composite`, steps(n)),
    'collection of 200': (n: number) => send('POST', `${DATA}/composite/sobjects`, { records: records(n) }),
  }
}

async function makeIds(object: string): Promise<string[]> {
  const records = Array.from({ length: 200 }, (_, n) => ({ attributes: { type: object }, Name: `r${n}` }))
  const made = await send('POST', `${DATA}/composite/sobjects`, { records })
  return made.map(({ id }: { id: string }) => id)
}

async function compareWrites(): Promise<void> {
  const quiet = writesOf('Quiet__c', await makeIds('Quiet__c'))
  const told = writesOf('Told__c', await makeIds('Told__c'))
  console.log('| write | told, a second | others, a second | share |\n|---|---|---|---|')
  const kinds = Object.keys(quiet).filter(
    (kind) => options.kinds === '' || options.kinds.split(',').includes(kind),
  )
  for (const kind of kinds as (keyof typeof quiet)[]) {
    const rates: { told: number; quiet: number }[] = []
    for (let round = 0; round < Number(options.rounds); round++)
      rates.push({ quiet: await measureRate(quiet[kind]), told: await measureRate(told[kind]) })
    const shares = rates.map((rate) => rate.told / rate.quiet)
    const [toldRate, quietRate] = [
      median(rates.map((rate) => rate.told)),
      median(rates.map((rate) => rate.quiet)),
    ]
    const range = `${Math.min(...shares).toFixed(2)}..${Math.max(...shares).toFixed(2)}`
    console.log(
      `| ${kind} | ${toldRate.toFixed(0)} | ${quietRate.toFixed(0)} | ${median(shares).toFixed(2)} (${range}) |`,
    )
  }
}

async function measurePublishing(): Promise<void> {
  const records = Array.from({ length: 200 }, (_, n) => ({
    attributes: { type: 'Done__e' },
    Text__c: `event ${n}`,
  }))
  for (let round = 0; round < Number(options.rounds); round++) {
    const [server0, began] = [server.cpu(), performance.now()]
    const rate = await measureRate(() => send('POST', `${DATA}/composite/sobjects`, { records }))
    const share = (server.cpu() - server0) / (performance.now() - began)
    console.log(
      `Published through collections of 200: ${(rate * 200).toFixed(0)} events a second, ${share.toFixed(2)} processors of the server`,
    )
  }
}

const cometd = async (message: object): Promise<Answer[]> => send('POST', '/cometd/64.0', [message])

async function openClient(n: number): Promise<string> {
  const [greeting] = await cometd({ channel: '/meta/handshake', id: `${n}` })
  const { clientId, error } = greeting
  if (clientId === undefined && String(error).startsWith('503')) {
    await sleep(500)
    return openClient(n)
  }
  if (clientId === undefined) throw new Error(JSON.stringify(greeting))
  await cometd({ channel: '/meta/subscribe', clientId, id: `s${n}`, subscription: '/data/Told__ChangeEvent' })
  return clientId
}

async function openClients(count: number): Promise<string[]> {
  const ids: string[] = []
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let n = lane; n < count; n += LANES) ids.push(await openClient(n))
  })
  await Promise.all(lanes)
  return ids
}

const connect = (clientId: string, id: string) =>
  cometd({ channel: '/meta/connect', clientId, id, connectionType: 'long-polling' })

/** How long nothing happens before the memory is read, in milliseconds. */
const REST_MS = 15_000

async function measureMemory(): Promise<void> {
  const before = server.memory()
  const ids = await openClients(Number(options.clients))
  for (const clientId of ids) connect(clientId, 'held').catch(() => {})
  await sleep(REST_MS)
  const more = server.memory() - before
  console.log(
    `${ids.length} clients with held connects: ${more.toFixed(0)} MiB more than ${before.toFixed(0)}`,
  )
}

async function measureLatency(): Promise<void> {
  const ids = await openClients(Number(options.subscribers))
  for (let round = 0; round < Number(options.rounds); round++) {
    let sent = 0
    const times = ids.map(async (clientId) => {
      for (let n = 0; ; n++) {
        const replies = await connect(clientId, `${round} ${n}`)
        if (replies.some(({ data }) => data?.payload.Name === `round ${round}`))
          return performance.now() - sent
      }
    })
    await sleep(REST_MS / 3)
    sent = performance.now()
    await send('POST', `${DATA}/sobjects/Told__c`, { Name: `round ${round}` })
    const all = await Promise.all(times)
    console.log(
      `An event at ${ids.length} subscribers: p50 ${quantile(all, 0.5).toFixed(0)} ms, p99 ${quantile(all, 0.99).toFixed(0)} ms, last ${Math.max(...all).toFixed(0)} ms`,
    )
  }
}

try {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT.OBJECTRY_CLIENT_ID,
    client_secret: CLIENT.OBJECTRY_CLIENT_SECRET,
  })
  const response = await fetch(`${server.origin}/services/oauth2/token`, { method: 'POST', body })
  token = ((await response.json()) as { access_token: string }).access_token
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    writes: compareWrites,
    publish: measurePublishing,
    memory: measureMemory,
    latency: measureLatency,
  }
  for (const part of options.only.split(',')) await parts[part]!()
} finally {
  agent.destroy()
  await server.stop()
  await drop()
  rmSync(deployment, { recursive: true })
}
process.exit()
