import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Triggers } from '../../src/context.ts'
import { assemble } from '../../src/server/assemble.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { onPostgres, sharedDatabaseUrl } from '../support/engine.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { SECRETS } from '../support/secrets.ts'
import { standardObject } from '../support/standard-object.ts'

/* The changes of records, for those who keep a copy. */

type What = 'updated' | 'deleted'

const changes = (what: What, start: string, end: string) =>
  `/sobjects/Account/${what}?start=${encodeURIComponent(start)}&end=${encodeURIComponent(end)}`

describe('what changed', () => {
  let o: TestOrg
  let now = new Date('2026-03-05T12:00:00Z')

  before(async () => {
    o = await openOrg({ clock: () => now, settings: { sessionSeconds: '86400' } })
  })

  const to = (time: string) => {
    now = new Date(`2026-03-05T${time}Z`)
  }
  const ask = (what: What, start: string, end: string) =>
    o.call('GET', changes(what, `2026-03-05T${start}`, `2026-03-05T${end}`))

  test('is what was created or updated in the range, oldest change first, without what was deleted', async () => {
    to('12:00:00')
    const a = await o.create('Account', { Name: 'a' })
    const b = await o.create('Account', { Name: 'b' })
    const gone = await o.create('Account', { Name: 'gone' })
    to('12:10:30')
    await o.call('PATCH', `/sobjects/Account/${a}`, { body: { Phone: '1' } })
    await o.call('DELETE', `/sobjects/Account/${gone}`)
    to('12:20:00')
    const { status, body } = await ask('updated', '12:00:00Z', '12:15:00Z')
    assert.equal(status, 200)
    assert.deepEqual(body, { ids: [b, a], latestDateCovered: '2026-03-05T12:15:00.000+0000' })
  })

  test('is what was deleted in the range, each with its time, without what nobody deleted', async () => {
    to('13:00:00')
    const ids = [await o.create('Account', { Name: 'a' }), await o.create('Account', { Name: 'b' })]
    await o.create('Account', { Name: 'stays' })
    to('13:05:07')
    for (const id of ids) await o.call('DELETE', `/sobjects/Account/${id}`)
    to('13:10:00')
    const { status, body } = await ask('deleted', '13:00:00Z', '13:09:00Z')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      deletedRecords: ids.map((id) => ({ deletedDate: '2026-03-05T13:05:07.000+0000', id })),
      earliestDateAvailable: '2026-02-18T13:10:00.000+0000',
      latestDateCovered: '2026-03-05T13:09:00.000+0000',
    })
  })

  test('is asked for by minutes; the end is not part of it', async () => {
    to('14:10:00')
    const id = await o.create('Account', { Name: 'on the minute' })
    to('14:30:00')
    const ids = async (start: string, end: string) => (await ask('updated', start, end)).body.ids
    assert.deepEqual(await ids('14:10:59Z', '14:11:59Z'), [id])
    assert.deepEqual(await ids('14:09:00Z', '14:10:59Z'), [])
    assert.deepEqual(await ids('15:10:00+01:00', '15:11:00+0100'), [id])
  })

  test('is not known of the time that is still to come', async () => {
    to('15:00:00')
    for (const what of ['updated', 'deleted'] as const) {
      const { body } = await ask(what, '14:00:00Z', '18:00:00Z')
      assert.match(body.latestDateCovered, /^2026-03-05T14:59:5[5-9]\.000\+0000$/)
    }
  })

  test('is reported as far as the caller sees it', async () => {
    to('16:00:00')
    await o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
      objects: [{ ...standardObject('Account'), sharing: 'private' }],
      mode: 'keep',
      allowDestructive: true,
    })
    const person = await addPerson(o, 'person')
    await allow(o, person.setId, 'Account', 'Create', 'Delete')
    const [own, ownGone] = [
      await person.org.create('Account', { Name: 'own' }),
      await person.org.create('Account', { Name: 'own, gone' }),
    ]
    const others = [await o.create('Account', { Name: 'other' }), await o.create('Account', { Name: 'gone' })]
    for (const id of [ownGone, others[1]]) await o.call('DELETE', `/sobjects/Account/${id}`)
    to('16:10:00')
    const path = (what: What) => changes(what, '2026-03-05T16:00:00Z', '2026-03-05T16:05:00Z')
    assert.deepEqual((await person.call('GET', path('updated'))).body.ids, [own])
    const { body } = await person.call('GET', path('deleted'))
    assert.deepEqual(
      body.deletedRecords.map(({ id }: { id: string }) => id),
      [ownGone],
    )
  })

  test('is refused for an invalid range', async () => {
    to('17:00:00')
    for (const what of ['updated', 'deleted'] as const) {
      const answer = (query: string) => o.call('GET', `/sobjects/Account/${what}${query}`)
      const time = 'a time like 2026-01-02T03:04:00Z'
      assertRefused(await answer(''), 400, 'MISSING_ARGUMENT', `The parameter start is missing: ${time}`)
      assertRefused(
        await answer('?start=2026-03-05T12:00:00Z&end='),
        ...([400, 'MISSING_ARGUMENT', `The parameter end is missing: ${time}`] as const),
      )
      for (const start of ['soon', '2026-02-30T12:00:00Z', '2026-03-05', `${'9'.repeat(5000)}`]) {
        assertRefused(
          await answer(`?start=${start}&end=2026-03-05T12:00:00Z`),
          ...([400, 'ILLEGAL_QUERY_PARAMETER_VALUE', /^The parameter start takes a time like /] as const),
        )
      }
      assertRefused(
        await answer('?start=2026-03-05T12:00:00+01:00&end=2026-03-05T12:00:00Z'),
        ...([400, 'ILLEGAL_QUERY_PARAMETER_VALUE', /a \+ in an address is written %2B$/] as const),
      )
      const minute = 'endDate must be at least one minute greater than the startDate'
      for (const end of ['12:00:59', '11:00:00']) {
        assertRefused(
          await ask(what, '12:00:00Z', `${end}Z`),
          ...([400, 'INVALID_REPLICATION_DATE', minute] as const),
        )
      }
    }
  })

  test('is kept for 30 days, and deletions for 15', async () => {
    to('17:00:00')
    for (const [what, days] of [
      ['updated', 30],
      ['deleted', 15],
    ] as const) {
      const ago = (minutes: number) => new Date(now.getTime() - days * 86_400_000 - minutes * 60_000)
      const from = (start: Date) => o.call('GET', changes(what, start.toISOString(), '2026-03-05T12:00:00Z'))
      assert.equal((await from(ago(0))).status, 200)
      const early = /^startDate before org replication enabled date/
      assertRefused(await from(ago(2)), 400, 'INVALID_REPLICATION_DATE', early)
    }
  })

  test('of an object is known as its describe says', async () => {
    const { sobjects } = (await o.call('GET', '/sobjects')).body
    to('13:00:00')
    for (const { name, replicateable } of sobjects) {
      for (const what of ['updated', 'deleted']) {
        const range = `start=2026-03-05T12:00:00Z&end=2026-03-05T12:30:00Z`
        const answer = await o.call('GET', `/sobjects/${name}/${what}?${range}`)
        if (replicateable) assert.equal(answer.status, 200, answer.text)
        else assertRefused(answer, 400, 'INVALID_TYPE_FOR_OPERATION', new RegExp(name))
      }
    }
  })

  test('of an object that is not there is not found', async () => {
    for (const what of ['updated', 'deleted'] as const) {
      assert.equal((await o.call('GET', `/sobjects/Nothing/${what}`)).status, 404)
      assert.equal((await o.call('POST', `/sobjects/Account/${what}`)).status, 405)
    }
  })
})

describe('the time that is covered', () => {
  /** Writes stay in their transaction for as long as the record's phone says, in milliseconds. */
  const slow: Triggers = {
    eventObjects: [],
    listens: (object, time) => object === 'Account' && time === 'afterInsert',
    async run(_ctx, _object, _time, records) {
      for (const { record } of records) await pause(Number(record!.Phone ?? 0))
    },
  }
  /** One connection is all that it has, and contacts hold it. */
  const holding: Triggers = {
    ...slow,
    listens: (object, time) => object === 'Contact' && time === 'afterInsert',
  }
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

  interface Poll {
    readonly ids: ReadonlySet<string>
    readonly until: number
  }
  const poll = async (o: TestOrg): Promise<Poll> => {
    const { body } = await o.call('GET', changes('updated', inMinutes(-5), inMinutes(5)))
    return { ids: new Set(body.ids), until: Date.parse(body.latestDateCovered) }
  }

  test('ends before a record that is written and not committed yet', {
    skip: !onPostgres && 'the embedded engine has one connection: nobody polls while somebody writes',
  }, async () => {
    const o = await openOrg({ triggers: slow })
    const writing = o.create('Account', { Name: 'late', Phone: '4500' })
    await pause(3500)
    const during = await poll(o)
    const id = await writing
    const [{ SystemModstamp }] = (await fetchRecords(o, 'SELECT SystemModstamp FROM Account')) as [
      { SystemModstamp: string },
    ]
    assert.equal(during.ids.has(id), false)
    assert.ok(during.until <= Date.parse(SystemModstamp), `${during.until} ${SystemModstamp}`)
    await pause(2500)
    const after = await poll(o)
    assert.ok(after.ids.has(id) && after.until > Date.parse(SystemModstamp))
  })

  test('ends before a record that waits in another server for its connection', {
    skip: !onPostgres && 'the embedded engine has one server',
  }, async () => {
    const o = await openOrg()
    const engine = await openEngine({ databaseUrl: await sharedDatabaseUrl(), poolSize: 1, data: 'memory' })
    const other = assemble(engine, readConfig({}, { logLevel: 'silent' }), systemClock, SECRETS, {
      triggers: holding,
    })
    const create = (object: string, payload: object) => {
      const headers = { authorization: `Bearer ${o.token}` }
      return other.server.inject({
        method: 'POST',
        url: `/services/data/v64.0/sobjects/${object}`,
        headers,
        payload,
      })
    }
    // The server has looked just now who calls and what the schema is, so that nothing but the write waits.
    await create('Contact', { LastName: 'first' })
    await create('Account', { Name: 'first' })
    const holds = { LastName: 'holds', Phone: '4000' }
    const held = [create('Contact', holds)]
    await pause(150)
    // Whoever has the connection when somebody polls began long after this one took its time.
    held.push(create('Contact', holds))
    const waiting = create('Account', { Name: 'waits' })
    await pause(7000)
    const during = await poll(o)
    const { id } = (await waiting).json()
    const record = await o.call('GET', `/sobjects/Account/${id}?fields=SystemModstamp`)
    assert.equal(during.ids.has(id), false)
    assert.ok(during.until <= Date.parse(record.body.SystemModstamp))
    for (const answer of held) assert.equal((await answer).statusCode, 201)
    await other.server.close()
    await engine.close()
  })

  test('has every record for a client that polls while eight writers hold their transactions open', async () => {
    const o = await openOrg({ triggers: slow })
    const polls: Poll[] = []
    const isOver = () => polls.length > 12 && polls.at(-1)!.ids.size > 20
    const writer = async (n: number) => {
      for (let i = 0; !isOver(); i++) {
        // Half of them write at once, but have to wait for a connection while the others hold theirs.
        const held = n % 2 === 0 ? 0 : Math.min(3500, (i * 977 + n * 331) % 3500)
        await o.create('Account', { Name: `${n}-${i}`, Phone: String(onPostgres ? held : held / 50) })
        if (held === 0) await pause(50)
      }
    }
    const poller = async () => {
      for (; !isOver(); await pause(200)) polls.push(await poll(o))
    }
    await Promise.all([poller(), ...Array.from({ length: 8 }, (_, n) => writer(n))])
    const { body } = await o.call(
      'GET',
      `/query?q=${encodeURIComponent('SELECT Id, SystemModstamp FROM Account')}`,
    )
    const missed = polls.flatMap(({ ids, until }) =>
      body.records.filter(
        (record: { Id: string; SystemModstamp: string }) =>
          Date.parse(record.SystemModstamp) < until && !ids.has(record.Id),
      ),
    )
    assert.deepEqual(missed, [])
  })
})
