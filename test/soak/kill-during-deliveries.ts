import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { KilledServer } from '../support/killed-server.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { makeSignature, SECRET } from '../support/webhooks.ts'
import { runKillSoak, say } from './kills/run-kill-soak.ts'

/*
 * Sends signed deliveries, some of them twice, while the server is killed with -9 and restarted, and looks whether each
 * one that was answered with 200 is processed, and each event once:
 *
 *   npm run soak -- kill-during-deliveries --database-url postgres://postgres@127.0.0.1:5432/postgres
 *   npm run soak -- kill-during-deliveries --deliveries 1000 --kills 3 --slow 200        on the embedded engine
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when
 * anything is lost or done twice.
 */

/** @param slow milliseconds that the code of the receiver waits for each event */
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

/**
 * Returns event ids in the order of their deliveries; some come again at once, others later.
 * @param duplicates how many of them come again, of 1
 */
function makeEvents(deliveries: number, duplicates: number): string[] {
  const unique = Math.round(deliveries * (1 - duplicates))
  const events = Array.from({ length: unique }, (_, number) => `event-${number}`)
  while (events.length < deliveries) {
    const at = Math.floor(Math.random() * events.length)
    const near = Math.random() < 0.5
    events.splice(near ? at : Math.floor(Math.random() * events.length), 0, events[at]!)
  }
  return events
}

const siteOf = ({ greeting }: KilledServer) => new URL(/public site is at (\S+)\.\n/.exec(greeting)![1]!)

/** Lets the guest call the receiver. */
async function openReceiver(server: KilledServer): Promise<void> {
  const [set] = await server.query("SELECT Id FROM PermissionSet WHERE Profile.Name = 'Guest'")
  await server.create('SetupEntityAccess', { ParentId: set!.Id, ResourceName: 'fire' })
}

/**
 * Sends one delivery.
 * @returns undefined if it was not acknowledged
 * @throws Error for any answer that may not come
 */
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

/** Waits until everything is processed. */
async function untilProcessed(server: KilledServer): Promise<void> {
  const soql = "SELECT COUNT() FROM WebhookDelivery WHERE Status IN ('Queued', 'Retrying')"
  for (;;) {
    const { totalSize } = JSON.parse(await server.call('GET', `/query?q=${encodeURIComponent(soql)}`))
    if (totalSize === 0) return
    say(`${totalSize} are still to be processed`)
    await sleep(2000)
  }
}

/** Returns what is lost, dead, done twice or not at all, a text each. */
async function findWrong(
  server: KilledServer,
  accepted: readonly string[],
  events: ReadonlySet<string>,
): Promise<string[]> {
  const log = await server.query('SELECT Id, Status FROM WebhookDelivery')
  const done = new Set(log.filter(({ Status }) => Status === 'Done').map(({ Id }) => Id))
  const tally = async (field: string, soql: string) =>
    Map.groupBy(await server.query(soql), (record) => record[field])
  const records = await tally('Event_Id__c', 'SELECT Event_Id__c FROM Fire_Event__c')
  const effects = await tally('Name', "SELECT Name FROM Account WHERE Name LIKE 'event-%'")
  const isOnce = (event: string) => records.get(event)?.length === 1 && effects.get(event)?.length === 1
  return [
    ...accepted.filter((id) => !done.has(id)).map((id) => `${id} is lost`),
    ...log.filter(({ Status }) => Status === 'Dead').map(({ Id }) => `${Id} is dead`),
    ...[...events].filter((event) => !isOnce(event)).map((event) => `${event} is done twice or not at all`),
  ]
}

/** Returns a line about the times of deliveries, in milliseconds. */
function sharesOf(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1)
  return `median ${at(0.5)}, 95 of 100 ${at(0.95)}, 99 of 100 ${at(0.99)}, most ${at(1)}`
}

const secondsSince = (began: number) => ((performance.now() - began) / 1000).toFixed(1)

await runKillSoak({
  numbers: { deliveries: 20_000, duplicates: 0.3, concurrency: 64, kills: 10, slow: 0 },
  well: 'each done once',
  async *rounds(variables, { deliveries, duplicates, concurrency, kills: maxKills, slow }) {
    const server = await KilledServer.start({ ...variables, OBJECTRY_DEPLOYMENT: makeDeployment(slow) })
    let startedAt = performance.now()
    try {
      await openReceiver(server)
      const events = makeEvents(deliveries, duplicates)
      const accepted: string[] = []
      const latencies: number[] = []
      const latenciesAtStart: number[] = []
      const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
      let next = 0
      let restarting: Promise<void> | undefined
      let kills = 0
      const killAndRestart = async () => {
        kills++
        await server.restart()
        startedAt = performance.now()
        say(`killed and restarted ${kills} times, ${accepted.length} of ${events.length} accepted`)
      }
      const client = async () => {
        while (next < events.length) {
          const event = events[next++]!
          for (;;) {
            const began = performance.now()
            const id = await send(siteOf(server), agent, event)
            if (id !== undefined) {
              latencies.push(performance.now() - began)
              if (began - startedAt < 1000) latenciesAtStart.push(performance.now() - began)
              accepted.push(id)
              break
            }
            await (restarting ?? sleep(20))
          }
          if (accepted.length > ((kills + 1) * events.length) / (maxKills + 1) && kills < maxKills) {
            restarting ??= killAndRestart().finally(() => {
              restarting = undefined
            })
          }
        }
      }
      const began = performance.now()
      await Promise.all(Array.from({ length: concurrency }, client))
      await restarting
      const acceptingSeconds = secondsSince(began)
      const acceptedAt = performance.now()
      agent.destroy()
      await untilProcessed(server)
      const processingSeconds = secondsSince(acceptedAt)
      const distinct = new Set(events)
      say(`milliseconds to the 200: ${sharesOf(latencies)}`)
      say(
        `of those that were sent within a second of a start (${latenciesAtStart.length}): ${sharesOf(latenciesAtStart)}`,
      )
      yield {
        summary:
          `${accepted.length} accepted in ${acceptingSeconds} s, the last processed ${processingSeconds} s later; ` +
          `${distinct.size} events, ${kills} kills`,
        wrong: await findWrong(server, accepted, distinct),
      }
    } finally {
      await server.end()
    }
  },
})
