import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { ClockOf } from '../../src/base/clock.ts'
import type { Observation } from '../../src/base/observation.ts'
import { sql } from '../../src/base/sql.ts'
import { RecycleBins } from '../../src/records/recycle-bin/recycle-bins.ts'
import { withoutAttributes } from '../support/ask.ts'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { onPostgres } from '../support/engine.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { triggersFrom, writeDeployment } from '../support/trigger-files.ts'

/* The clock of the org is moved, and servers look at the recycle bins when a test says so. */

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Brings back what a task names, and may wait before it is done. */
const gate: { open?: Promise<void>; reached?: () => void } = {}
Object.assign(globalThis, { gate })

const TRIGGER = `export default {
  object: 'Task',
  async beforeInsert(changes, org) {
    const [object, ...ids] = changes[0].record.Subject.split(' ')
    await org.undelete(object, ids)
    globalThis.gate.reached?.()
    await globalThis.gate.open
  },
}`

const RESOURCE = `export default {
  path: '/undelete/:object',
  POST: ({ params, body }, org) => org.undelete(params.object, body.ids, { allOrNone: false }),
}`

const NOT_THERE = /entity is not in the recycle bin/

let o: TestOrg
let headers: Readonly<Record<string, string>>
/** A user without permissions. */
let personId: string
/** Where the clock of the org stands when a test begins, in days ahead of the machine's. */
let day = 0
const notices: string[] = []

const observe = (observation: Observation) => {
  if (observation.kind === 'notice') notices.push(observation.message)
}

before(async () => {
  o = await openOrg({
    settings: { allowFaults: 'true', allocation: 'unlimited' },
    triggers: await triggersFrom({ 'task.ts': TRIGGER }),
    deployment: writeDeployment({ 'resources/undelete.js': RESOURCE }),
  })
  await o.deploy(HIERARCHY_SCHEMA)
  personId = (await addPerson(o, 'restored')).id
  headers = { authorization: `Bearer ${o.services.sessions.issueUnstored(o.org, o.userId)}` }
})

beforeEach(async () => {
  day += 100
  await at(0)
  await look()
  notices.length = 0
})

/** Puts the clock to so many days after the beginning of the test. */
const at = (days: number) => o.services.clocks.move(o.org.id, (day + days) * DAY)
/** Other orgs of this database are at the beginning of time, so nothing of theirs is purged. */
const own: ClockOf = (id) => (id === o.org.id ? o.services.clocks.of(id) : () => new Date(0))
const bins = (of: ClockOf = own, historyDays?: number) =>
  new RecycleBins({
    db: o.db,
    observe,
    historyDays,
    clocks: { of, catchUp: () => o.services.clocks.catchUp() },
  })
const look = () => bins().look()
/** Moves the clock and purges: records are purged a little later than after 15 days. */
async function lookAfter(days: number): Promise<void> {
  await at(days)
  await look()
}

const call: TestOrg['call'] = (method, path, sent) => o.call(method, path, { ...sent, headers })

async function create(object: string, fields: Record<string, unknown>): Promise<string> {
  const answer = await call('POST', `/sobjects/${object}`, { body: fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

async function remove(object: string, ...ids: string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 200) {
    const path = `/composite/sobjects?allOrNone=true&ids=${ids.slice(from, from + 200).join(',')}`
    const answer = await call('DELETE', path)
    assert.equal(answer.status, 200, answer.text)
    assert.ok(answer.body[0].success, `${object}: ${answer.text}`)
  }
}

async function select(resource: 'query' | 'queryAll', text: string) {
  const answer = await call('GET', `/${resource}?q=${encodeURIComponent(text)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The names of those that are in an object's table, in the recycle bin or not. */
async function kept(object: string, ...ids: string[]): Promise<string[]> {
  const list = ids.map((id) => `'${id}'`).join(', ')
  const { records } = await select(
    'queryAll',
    `SELECT Name FROM ${object} WHERE Id IN (${list}) ORDER BY Name`,
  )
  return records.map(({ Name }: { Name: string }) => Name)
}

const undelete = (object: string, ...ids: string[]) =>
  call('POST', '/sobjects/Task', { body: { Subject: [object, ...ids].join(' ') } })

describe('a record in the recycle bin', () => {
  test('is in the results of queryAll with IsDeleted, which conditions may ask for', async () => {
    const [dead, living] = [
      await create('House__c', { Name: 'Dead', Plate__c: 'bin' }),
      await create('House__c', { Name: 'Living', Plate__c: 'bin' }),
    ]
    await create('Room__c', { Name: 'Hall', House__c: dead })
    await create('Room__c', { Name: 'Attic', House__c: living })
    await remove('House__c', dead)
    const found = async (resource: 'query' | 'queryAll', text: string) =>
      (await select(resource, text)).records.map(withoutAttributes)
    const houses = (rest: string) =>
      `SELECT Name, IsDeleted FROM House__c WHERE Plate__c = 'bin' ${rest} ORDER BY Name`
    const rows = { dead: { Name: 'Dead', IsDeleted: true }, living: { Name: 'Living', IsDeleted: false } }
    assert.deepEqual(await found('queryAll', houses('')), [rows.dead, rows.living])
    assert.deepEqual(await found('queryAll', houses('AND IsDeleted = true')), [rows.dead])
    assert.deepEqual(await found('queryAll', houses('AND IsDeleted = false')), [rows.living])
    assert.deepEqual(await found('query', houses('')), [rows.living])
    assert.deepEqual(await found('query', houses('AND IsDeleted = true')), [])
    const rooms = "SELECT Name FROM Room__c WHERE House__r.Plate__c = 'bin' AND House__r.IsDeleted = true"
    assert.deepEqual(await found('queryAll', rooms), [{ Name: 'Hall' }])
    const counted = `SELECT IsDeleted, COUNT(Id) n FROM House__c WHERE Plate__c = 'bin' GROUP BY IsDeleted`
    const groups = await found('queryAll', `${counted} ORDER BY IsDeleted`)
    assert.deepEqual(groups, [
      { IsDeleted: false, n: 1 },
      { IsDeleted: true, n: 1 },
    ])
  })

  test('comes back through a custom resource, with what went with it', async () => {
    const house = await create('House__c', { Name: 'Manor' })
    const room = await create('Room__c', { Name: 'Hall', House__c: house })
    await remove('House__c', house)
    const path = '/services/customrest/undelete/House__c'
    const { status, body } = await call('POST', path, { body: { ids: [house] } })
    assert.deepEqual([status, body], [200, [{ id: house, success: true, errors: [] }]])
    assert.equal((await call('GET', `/sobjects/Room__c/${room}`)).status, 200)
    const again = await call('POST', path, { body: { ids: [house] } })
    assert.deepEqual(again.body, [
      {
        id: house,
        success: false,
        errors: [{ errorCode: 'UNDELETE_FAILED', message: 'entity is not in the recycle bin', fields: [] }],
      },
    ])
  })

  test('comes back for 15 days', async () => {
    const [early, late] = [await create('House__c', {}), await create('House__c', {})]
    await remove('House__c', early, late)
    await at(15 - 60 / 86_400)
    assert.equal((await undelete('House__c', early)).status, 201)
    await at(15 + 60 / 86_400)
    assert.match((await undelete('House__c', late)).text, NOT_THERE)
  })
})

describe('a purge', () => {
  test('keeps what was deleted 14 days ago, and deletes for good what was deleted 15 days ago', async () => {
    const house = await create('House__c', { Name: 'Old' })
    const living = await create('House__c', { Name: 'Living' })
    await remove('House__c', house)
    await lookAfter(14)
    assert.deepEqual(await kept('House__c', house, living), ['Living', 'Old'])
    assert.deepEqual(notices, [])
    await lookAfter(15 + 1 / 24)
    assert.deepEqual(await kept('House__c', house, living), ['Living'])
    assert.deepEqual(notices, ['Purged 1 record of Test: deleted more than 15 days ago'])
    const path = `/sobjects/House__c/${house}`
    assertRefused(await call('GET', path), 404, 'NOT_FOUND', NO_RESOURCE)
    const invalid = 'invalid cross reference id'
    assertRefused(await call('DELETE', path), 404, 'INVALID_CROSS_REFERENCE_KEY', invalid)
    assert.match((await undelete('House__c', house)).text, NOT_THERE)
  })

  test('takes what went with a record too, and leaves what was only cleared', async () => {
    const house = await create('House__c', { Name: 'Manor' })
    const room = await create('Room__c', { Name: 'Hall', House__c: house })
    const chair = await create('Chair__c', { Name: 'Throne', Room__c: room })
    const letter = await create('Letter__c', { Name: 'Deed', Sender__c: house })
    const account = await create('Account', { Name: 'Acme' })
    const note = await create('Note', { Title: 'n', ParentId: account })
    await remove('House__c', house)
    await remove('Account', account)
    await lookAfter(16)
    for (const [object, id] of [
      ['House__c', house],
      ['Room__c', room],
      ['Chair__c', chair],
      ['Account', account],
    ] as const) {
      assert.deepEqual(await kept(object, id), [], object)
    }
    assert.equal((await select('queryAll', `SELECT Id FROM Note WHERE Id = '${note}'`)).totalSize, 0)
    assert.deepEqual(await kept('Letter__c', letter), ['Deed'])
    assert.deepEqual(notices, ['Purged 5 records of Test: deleted more than 15 days ago'])
  })

  test('leaves what a younger record still points to, and takes both when the time has come', async () => {
    const [house, other] = [
      await create('House__c', { Name: 'Pinned' }),
      await create('House__c', { Name: 'Free' }),
    ]
    const letter = await create('Letter__c', { Name: 'Late', Sender__c: house })
    // The clock was ahead when the letter went.
    await at(10)
    await remove('Letter__c', letter)
    await at(0)
    await remove('House__c', house, other)
    await lookAfter(16)
    assert.deepEqual(await kept('House__c', house, other), ['Pinned'])
    assert.deepEqual(await kept('Letter__c', letter), ['Late'])
    await lookAfter(26)
    assert.deepEqual(await kept('House__c', house), [])
    assert.deepEqual(await kept('Letter__c', letter), [])
  })

  test('leaves a queue that still owns records, as those deleted by an earlier version may', async () => {
    const queue = await create('Group', { Name: 'Kept', DeveloperName: 'Kept', Type: 'Queue' })
    const owned = await create('Case', { Subject: 'waits' })
    await remove('Group', queue)
    await o.db.query(
      sql`update ${sql.id(o.org.schemaName, 'case')} set ownerid = ${queue} where id = ${owned}`,
    )
    await lookAfter(16)
    assert.deepEqual(await kept('Group', queue), ['Kept'])
    assert.equal((await call('DELETE', `/sobjects/Case/${owned}`)).status, 204)
    await lookAfter(32)
    assert.deepEqual(await kept('Group', queue), [])
  })

  test('takes records that point to each other or to themselves', async () => {
    const [one, two, self] = [
      await create('House__c', { Name: 'One' }),
      await create('House__c', { Name: 'Two' }),
      await create('House__c', { Name: 'Self' }),
    ]
    for (const [from, to] of [
      [one, two],
      [two, one],
      [self, self],
    ]) {
      const answer = await call('PATCH', `/sobjects/House__c/${from}`, { body: { Annex__c: to } })
      assert.equal(answer.status, 204, answer.text)
    }
    await remove('House__c', one, two, self)
    await lookAfter(16)
    assert.deepEqual(await kept('House__c', one, two, self), [])
  })

  test('takes more records than one statement does', async () => {
    const house = await create('House__c', { Name: 'Palace' })
    for (let from = 0; from < 2200; from += 200) {
      const records = Array.from({ length: 200 }, (_, i) => ({
        attributes: { type: 'Room__c' },
        Name: `Room ${from + i}`,
        House__c: house,
      }))
      const answer = await call('POST', '/composite/sobjects', { body: { records } })
      assert.ok(answer.body.every(({ success }: { success: boolean }) => success))
    }
    await remove('House__c', house)
    await lookAfter(16)
    const rooms = await select('queryAll', `SELECT COUNT() FROM Room__c WHERE House__c = '${house}'`)
    assert.equal(rooms.totalSize, 0)
    assert.deepEqual(await kept('House__c', house), [])
    assert.deepEqual(notices, ['Purged 2201 records of Test: deleted more than 15 days ago'])
  })

  test('is made once by several servers, and again after an hour', async () => {
    const first = await create('House__c', { Name: 'First' })
    await remove('House__c', first)
    await at(1 / 48)
    const second = await create('House__c', { Name: 'Second' })
    await remove('House__c', second)
    await at(15 + 1 / 96)
    await Promise.all([look(), look(), look()])
    assert.equal(notices.length, 1)
    assert.deepEqual(await kept('House__c', first, second), ['Second'])
    await lookAfter(15 + 1 / 32)
    assert.deepEqual(await kept('House__c', first, second), ['Second'])
    await lookAfter(15 + 1 / 16)
    assert.deepEqual(await kept('House__c', first, second), [])
  })

  test('of an empty bin is due again when what is deleted since could expire, or when the org was put back', async () => {
    const emptied = async () => {
      const [row] = await o.db.query<{ at: number }>(
        sql`select extract(epoch from bin_emptied_at)::float8 as at from objectry.org where id = ${o.org.id}`,
      )
      return row!.at
    }
    await lookAfter(0.5)
    const first = await emptied()
    await lookAfter(14)
    assert.equal(await emptied(), first)
    await lookAfter(16)
    const second = await emptied()
    assert.notEqual(second, first)
    assert.equal((await call('PUT', '/setup/orgs/current/snapshots/bin')).status, 200)
    const restore = { body: { snapshot: 'bin' } }
    assert.equal((await call('POST', '/setup/orgs/current/restore', restore)).status, 200)
    await lookAfter(17)
    assert.notEqual(await emptied(), second)
  })

  test('is not kept waiting by a clock that was put back', async () => {
    await lookAfter(60)
    const house = await create('House__c', { Name: 'Back' })
    await at(0)
    await remove('House__c', house)
    await lookAfter(16)
    assert.deepEqual(await kept('House__c', house), [])
  })

  test('leaves a record that somebody is just bringing back', {
    skip: !onPostgres && 'the embedded engine carries out one transaction at a time',
  }, async () => {
    const [wanted, unwanted] = [
      await create('House__c', { Name: 'Wanted' }),
      await create('House__c', { Name: 'Unwanted' }),
    ]
    const room = await create('Room__c', { Name: 'Hall', House__c: wanted })
    await remove('House__c', wanted, unwanted)
    const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    Object.assign(gate, { reached: reached.resolve, open: opened.promise })
    await at(14.9)
    const undeleting = undelete('House__c', wanted)
    await reached.promise
    await lookAfter(16)
    opened.resolve()
    assert.equal((await undeleting).status, 201)
    Object.assign(gate, { reached: undefined, open: undefined })
    await lookAfter(17)
    assert.deepEqual(await kept('House__c', wanted, unwanted), ['Wanted'])
    assert.equal((await call('GET', `/sobjects/Room__c/${room}`)).status, 200)
  })

  test('beside undeletes purges each record as a whole or not at all', {
    skip: !onPostgres && 'the embedded engine carries out one transaction at a time',
  }, async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, i) => create('House__c', { Name: `${i}` })))
    await remove('House__c', ...ids)
    // A server whose clock is ahead of the one that brings them back.
    const ahead: ClockOf = (id) => (id === o.org.id ? () => new Date(Date.now() + (day + 16) * DAY) : own(id))
    const answers = await Promise.all([
      ...ids.slice(0, 15).map((id) => undelete('House__c', id)),
      bins(ahead)
        .look()
        .then(() => undefined),
      ...ids.slice(15).map((id) => undelete('House__c', id)),
    ])
    const reported = answers.filter((answer) => answer !== undefined)
    for (const [index, { status, text }] of reported.entries()) {
      const isBack = status === 201
      if (!isBack) assert.match(text, NOT_THERE)
      const read = await call('GET', `/sobjects/House__c/${ids[index]}`)
      assert.equal(read.status, isBack ? 200 : 404)
    }
  })
})

test('a permission that is brought back holds at once', async () => {
  const token = o.services.sessions.issueUnstored(o.org, personId)
  const read = async () => {
    const answer = await o.call('GET', '/query?q=SELECT+Id+FROM+Account', {
      headers: { authorization: `Bearer ${token}` },
    })
    return answer.status
  }
  const set = await create('PermissionSet', { Name: 'Restored', Label: 'Restored' })
  await create('ObjectPermissions', { ParentId: set, SobjectType: 'Account', PermissionsRead: true })
  const assignment = await create('PermissionSetAssignment', { PermissionSetId: set, AssigneeId: personId })
  assert.equal(await read(), 200)
  await remove('PermissionSetAssignment', assignment)
  assert.equal(await read(), 400)
  const undeleted = await undelete('PermissionSetAssignment', assignment)
  assert.equal(undeleted.status, 201, undeleted.text)
  assert.equal(await read(), 200)
})

test('what histories have is purged after the days that a setting names, and never without it', async () => {
  const deal = { Name: 'Old', StageName: 'Prospecting', CloseDate: '2026-05-10', Amount: 1 }
  const id = await create('Opportunity', deal)
  await at(20)
  assert.equal((await call('PATCH', `/sobjects/Opportunity/${id}`, { body: { Amount: 2 } })).status, 204)
  const amounts = async () => {
    const text = `SELECT Amount FROM OpportunityHistory WHERE OpportunityId = '${id}' ORDER BY Amount`
    return (await select('query', text)).records.map(({ Amount }: { Amount: number }) => Amount)
  }
  await at(45)
  await look()
  assert.deepEqual(await amounts(), [1, 2])
  notices.length = 0
  await at(46)
  await bins(own, 30).look()
  assert.deepEqual(await amounts(), [2])
  assert.match(notices[0]!, /^Purged \d+ changes? of records of /)
  await remove('Opportunity', id)
})
