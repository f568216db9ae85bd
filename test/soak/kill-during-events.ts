import { setTimeout as sleep } from 'node:timers/promises'
import { KilledServer } from '../support/killed-server.ts'
import { writeDeployment } from '../support/trigger-files.ts'
import { END, type EventReader, readCometd, readStream } from './kills/event-readers.ts'
import { EventWriter } from './kills/event-writes.ts'
import { openCluster } from './kills/open-cluster.ts'
import { runKillSoak } from './kills/run-kill-soak.ts'

/*
 * Kills the server, and its database, while twelve clients write by all ways and three readers follow, are cut, and go on: every committed change
 * is told, none that was rolled back, those of a record in their order, and the same to all readers:
 *
 *   npm run soak -- kill-during-events                       the server alone, on the embedded engine
 *   npm run soak -- kill-during-events --database-url postgres://postgres@127.0.0.1:5432/postgres
 *   npm run soak -- kill-during-events --kill-database 3     also the database, a cluster of its own, so many times
 *
 * --changes 20000, --kills 10. Ends with 1 when a reader has missed an event, or has one that must not be.
 */

const CLIENTS = 12

/** Readers that have not come to the end by then have lost something, in milliseconds. */
const MAX_WAIT_MS = 180_000

const CHANNELS = ['/data/ChangeEvents', '/event/Order_Placed__e']

const DEPLOYMENT = () =>
  writeDeployment({
    'objects/Account.yaml': 'changeEvents: true\n',
    'objects/Contact.yaml': 'changeEvents: true\n',
    'objects/Order_Placed__e.yaml': 'fields:\n  Number__c: { type: string, length: 80 }\n',
  })

/** What marks an event: the name of a new record, or the number of what was published. */
function markOf({ data }: EventReader['events'][number]): string | undefined {
  const { payload } = data
  if (payload.Number__c !== undefined) return payload.Number__c
  if (payload.ChangeEventHeader.changeType !== 'CREATE') return undefined
  return payload.ChangeEventHeader.entityName === 'Contact' ? payload.Name.LastName : payload.Name
}

function compareReaders(readers: readonly EventReader[]): string[] {
  const [first, ...others] = readers.map(({ events }) => events.map((event) => JSON.stringify(event.data)))
  return others.flatMap((texts, n) => {
    const at = first!.findIndex((text, index) => text !== texts[index])
    const isSame = at === -1 && texts.length === first!.length
    return isSame
      ? []
      : [`reader ${n + 1} has ${texts.length} events, not ${first!.length}, from ${at} on others`]
  })
}

function findWrong(writers: readonly EventWriter[], reader: EventReader): string[] {
  const wrong: string[] = []
  const marks = reader.events.flatMap((event) => markOf(event) ?? [])
  const told = new Set(marks)
  if (told.size !== marks.length) wrong.push(`${marks.length - told.size} creations came twice`)
  const positions = reader.events.map(({ position }) => position)
  if (positions.some((position, n) => n > 0 && position <= positions[n - 1]!))
    wrong.push('positions do not grow')
  const changes = new Map<string, string[]>()
  const deleted = new Set<string>()
  for (const { data } of reader.events) {
    const { ChangeEventHeader: header, Description } = data.payload
    if (header?.changeType === 'UPDATE')
      for (const id of header.recordIds) changes.set(id, [...(changes.get(id) ?? []), Description])
    if (header?.changeType === 'DELETE') for (const id of header.recordIds) deleted.add(id)
  }
  for (const writer of writers) {
    wrong.push(...writer.told.filter((mark) => !told.has(mark)).map((mark) => `${mark} was not told`))
    wrong.push(...writer.untold.filter((mark) => told.has(mark)).map((mark) => `${mark} was told`))
    for (const { id, marks: written, isDeleted } of writer.accounts) {
      const seen = changes.get(id) ?? []
      const wanted = written
        .filter(({ mark, isSure }) => isSure || seen.includes(mark))
        .map(({ mark }) => mark)
      if (seen.join() !== wanted.join()) wrong.push(`${id}: ${seen.join()} instead of ${wanted.join()}`)
      if (isDeleted !== 'perhaps' && deleted.has(id) !== (isDeleted === 'yes'))
        wrong.push(`${id}: its deletion`)
    }
  }
  return wrong
}

/** Compares what may have been told with what is there now. */
async function findUntold(server: KilledServer, writers: readonly EventWriter[], told: ReadonlySet<string>) {
  const perhaps = new Set(writers.flatMap((writer) => writer.perhaps))
  const accounts = await server.query('SELECT Name FROM Account')
  const contacts = await server.query('SELECT LastName FROM Contact')
  const there = [...accounts.map(({ Name }) => Name), ...contacts.map(({ LastName }) => LastName)]
  return there
    .filter((name) => perhaps.has(name!) && !told.has(name!))
    .map((name) => `${name} is there and was not told`)
}

await runKillSoak({
  numbers: { changes: 20_000, kills: 10, 'kill-database': 0 },
  well: 'everything told once, and the same to all',
  async *rounds(variables, { changes, kills, 'kill-database': databaseKills }) {
    const cluster = databaseKills > 0 ? await openCluster() : undefined
    const server = await KilledServer.start(
      {
        ...variables,
        ...(cluster && { DATABASE_URL: cluster.url }),
        OBJECTRY_CONNECTION_SECONDS: '30',
        OBJECTRY_EDITION: 'unlimited',
        OBJECTRY_DELIVERED_EVENTS: 'unlimited',
        OBJECTRY_PUBLISHED_EVENTS: 'unlimited',
        OBJECTRY_DEPLOYMENT: DEPLOYMENT(),
      },
      10,
    )
    try {
      const writers = Array.from({ length: CLIENTS }, (_, n) => new EventWriter(server, `w${n}`))
      const readers = [
        readStream(server, CHANNELS),
        readStream(server, CHANNELS),
        readCometd(server, ['/data/ChangeEvents']),
      ]
      const written = () => writers.reduce((sum, { count }) => sum + count, 0)
      const total = kills + databaseKills
      for (let kill = 1; kill <= total; kill++) {
        const until = (changes * kill) / total
        const reached = async () => {
          while (written() < until) await sleep(20)
        }
        const isDatabase = cluster !== undefined && kill % Math.ceil(total / databaseKills) === 0
        if (isDatabase) {
          let isOver = false
          const work = Promise.all(
            writers.map(async (writer) => {
              while (!isOver) await writer.write()
            }),
          )
          await Promise.race([reached(), work])
          await cluster.kill()
          isOver = true
          await work
        } else
          await server.killUnder({ clients: CLIENTS, work: (n) => writers[n]!.write(), untilKill: reached })
        const events = readers.map((reader) => reader.events.length).join(', ')
        process.stderr.write(
          `${written()} writes, ${isDatabase ? 'database' : 'server'} killed; events read: ${events}\n`,
        )
      }
      for (;;) {
        const { status } = await server.send('POST', '/sobjects/Account', { Name: END })
        if (status === 201) break
        await sleep(500)
      }
      const wrong: string[] = []
      await Promise.race([
        Promise.all(readers.map(({ ended }) => ended)),
        sleep(MAX_WAIT_MS, undefined, { ref: false }).then(() =>
          wrong.push('a reader has not come to the end'),
        ),
      ])
      const [first, second, third] = readers as [EventReader, EventReader, EventReader]
      wrong.push(...readers.flatMap((reader) => reader.wrong), ...compareReaders([first, second]))
      const changesOnly = {
        ...first,
        events: first.events.filter(({ channel }) => channel.startsWith('/data/')),
      }
      wrong.push(...compareReaders([changesOnly, third]), ...findWrong(writers, first))
      const told = new Set(first.events.flatMap((event) => markOf(event) ?? []))
      wrong.push(...(await findUntold(server, writers, told)))
      const acknowledged = writers.reduce((sum, writer) => sum + writer.told.length, 0)
      yield {
        summary: `${written()} writes, ${acknowledged} new things acknowledged, ${first.events.length} events`,
        wrong,
      }
    } finally {
      await server.end('SIGKILL')
      await cluster?.remove()
    }
  },
})
