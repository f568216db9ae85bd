import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  credentialsIn,
  fetchToken,
  type ServerProcess,
  startServer,
  type Variables,
} from './server-process.ts'
import { writeDeployment } from './trigger-files.ts'
import { makeSignature, SECRET } from './webhooks.ts'

/** How hard it is made. */
export interface Fire {
  readonly deliveries: number
  /** How many of them come again, of 1. */
  readonly duplicates: number
  readonly concurrency: number
  readonly kills: number
  /** Milliseconds that the code of the receiver waits for each event. */
  readonly slow?: number
}

/** The outcome of the deliveries. */
export interface Verdict {
  readonly accepted: number
  readonly events: number
  readonly kills: number
  /** Records that were acknowledged and are not in the log, or are not done. */
  readonly lost: readonly string[]
  readonly dead: number
  /** Event ids with another number of records, or of effects, than one. */
  readonly wrong: readonly string[]
  /** Milliseconds from a delivery to its 200, sorted. */
  readonly latencies: readonly number[]
  /** Those of deliveries that were sent within a second of a start. */
  readonly latenciesAtStart: readonly number[]
  /** Seconds until the last 200, and from then until the last one was processed. */
  readonly seconds: { readonly accepting: number; readonly processing: number }
}

const receiver = (slow: number) => `
import { webhook } from 'objectry'
export default webhook({
  path: '/fire', secret: ${JSON.stringify(SECRET)}, eventId: 'id', object: 'Fire_Event__c', runAs: 'admin@objectry.local',
  async process(event, org) {
    ${slow === 0 ? '' : `await new Promise((done) => setTimeout(done, ${slow}))`}
    await org.create('Account', [{ Name: event.id }])
  },
})`

const OBJECT = `
label: Fire Event
labelPlural: Fire Events
fields:
  Event_Id__c: { type: string, length: 80, externalId: true, unique: true, caseSensitive: true }
`

const makeDeployment = (slow: number) =>
  writeDeployment({ 'resources/fire.ts': receiver(slow), 'objects/Fire_Event__c.yaml': OBJECT })

/** Event ids in the order of their deliveries; some come again at once, others later. */
function makeEvents({ deliveries, duplicates }: Fire): string[] {
  const unique = Math.round(deliveries * (1 - duplicates))
  const events = Array.from({ length: unique }, (_, number) => `event-${number}`)
  while (events.length < deliveries) {
    const at = Math.floor(Math.random() * events.length)
    const near = Math.random() < 0.5
    events.splice(near ? at : Math.floor(Math.random() * events.length), 0, events[at]!)
  }
  return events
}

/** A running server as its clients see it. */
interface Location {
  readonly server: ServerProcess
  readonly site: URL
  readonly token: string
  readonly startedAt: number
}

async function startLocation(variables: Variables, known?: ReturnType<typeof credentialsIn>) {
  const server = await startServer(variables)
  const credentials = known ?? credentialsIn(server.greeting)!
  const site = new URL(/public site is at (\S+)\.\n/.exec(server.greeting)![1]!)
  const token = await fetchToken(server.address, credentials)
  const location: Location = { server, site, token, startedAt: performance.now() }
  return { location, credentials }
}

async function call({ server, token }: Location, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(
    path.startsWith('/services') ? server.address + path : `${server.address}/services/data/v64.0${path}`,
    {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    },
  )
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

async function allRecords<R>(location: Location, soql: string): Promise<R[]> {
  const records: R[] = []
  let path: string | undefined = `/query?q=${encodeURIComponent(soql)}`
  while (path !== undefined) {
    const page = (await call(location, path)) as { records: R[]; nextRecordsUrl?: string }
    records.push(...page.records)
    path = page.nextRecordsUrl
  }
  return records
}

const fetchCount = async (location: Location, rest: string) =>
  (
    (await call(location, `/query?q=${encodeURIComponent(`SELECT COUNT() FROM ${rest}`)}`)) as {
      totalSize: number
    }
  ).totalSize

/** Lets the guest call the receiver. */
async function openReceiver(location: Location): Promise<void> {
  const [set] = await allRecords<{ Id: string }>(
    location,
    "SELECT Id FROM PermissionSet WHERE Profile.Name = 'Guest'",
  )
  await call(location, '/sobjects/SetupEntityAccess', { ParentId: set!.Id, ResourceName: 'fire' })
}

/** Sends one delivery. Undefined: it was not acknowledged. @throws Error for any answer that may not come */
function send(site: URL, agent: Agent, event: string): Promise<string | undefined> {
  const body = JSON.stringify({ id: event })
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        ...{ agent, host: site.hostname, port: site.port, path: '/services/customrest/fire', method: 'POST' },
        headers: { 'content-length': Buffer.byteLength(body), 'x-hub-signature-256': makeSignature(body) },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece) => {
          text += piece
        })
        response.on('error', () => resolve(undefined))
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text).id)
          else if (response.statusCode === 503) resolve(undefined)
          else reject(new Error(`${response.statusCode} ${text}`))
        })
      },
    )
    sending.on('error', () => resolve(undefined))
    sending.end(body)
  })
}

/**
 * Delivers events to a server that is killed with -9 again and again and started again on the same data, each until it
 * is acknowledged; then waits until everything is processed and looks at every record.
 */
export async function killDuringDeliveries(
  variables: Variables,
  fire: Fire,
  report: (line: string) => void,
): Promise<Verdict> {
  const settings = { ...variables, OBJECTRY_DEPLOYMENT: makeDeployment(fire.slow ?? 0) }
  let { location, credentials } = await startLocation(settings)
  try {
    await openReceiver(location)
    const events = makeEvents(fire)
    const accepted: string[] = []
    const latencies: number[] = []
    const latenciesAtStart: number[] = []
    const agent = new Agent({ keepAlive: true, maxSockets: fire.concurrency })
    let next = 0
    let restarting: Promise<void> | undefined
    let kills = 0
    const killAndRestart = async () => {
      kills++
      await location.server.end('SIGKILL')
      location = (await startLocation(settings, credentials)).location
      report(`killed and restarted ${kills} times, ${accepted.length} of ${events.length} accepted`)
    }
    const client = async () => {
      while (next < events.length) {
        const event = events[next++]!
        for (;;) {
          const began = performance.now()
          const id = await send(location.site, agent, event)
          if (id !== undefined) {
            latencies.push(performance.now() - began)
            if (began - location.startedAt < 1000) latenciesAtStart.push(performance.now() - began)
            accepted.push(id)
            break
          }
          await (restarting ?? sleep(20))
        }
        if (accepted.length > ((kills + 1) * events.length) / (fire.kills + 1) && kills < fire.kills) {
          restarting ??= killAndRestart().finally(() => {
            restarting = undefined
          })
        }
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: fire.concurrency }, client))
    await restarting
    const acceptedAt = performance.now()
    agent.destroy()
    for (;;) {
      const waiting = await fetchCount(location, "WebhookDelivery WHERE Status IN ('Queued', 'Retrying')")
      if (waiting === 0) break
      report(`${waiting} are still to be processed`)
      await sleep(2000)
    }
    const processedAt = performance.now()
    const log = await allRecords<{ Id: string; Status: string }>(
      location,
      'SELECT Id, Status FROM WebhookDelivery',
    )
    const done = new Set(log.filter(({ Status }) => Status === 'Done').map(({ Id }) => Id))
    const tally = (names: readonly string[]) => Map.groupBy(names, (name) => name)
    const records = tally(
      (await allRecords<{ Event_Id__c: string }>(location, 'SELECT Event_Id__c FROM Fire_Event__c')).map(
        (one) => one.Event_Id__c,
      ),
    )
    const effects = tally(
      (
        await allRecords<{ Name: string }>(location, "SELECT Name FROM Account WHERE Name LIKE 'event-%'")
      ).map((one) => one.Name),
    )
    const unique = [...new Set(events)]
    return {
      accepted: accepted.length,
      events: unique.length,
      kills,
      lost: accepted.filter((id) => !done.has(id)),
      dead: log.filter(({ Status }) => Status === 'Dead').length,
      wrong: unique.filter((event) => records.get(event)?.length !== 1 || effects.get(event)?.length !== 1),
      latencies: latencies.sort((a, b) => a - b),
      latenciesAtStart: latenciesAtStart.sort((a, b) => a - b),
      seconds: { accepting: (acceptedAt - began) / 1000, processing: (processedAt - acceptedAt) / 1000 },
    }
  } finally {
    await location.server.end('SIGTERM')
  }
}
