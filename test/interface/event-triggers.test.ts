import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTriggerSql } from '../../src/automation/event-triggers/event-trigger.sql.ts'
import { fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { triggersFrom } from '../support/trigger-files.ts'

/* Triggers of platform events run behind those who publish them. Each test has an event of its own. */

async function openListening(event: string, afterInsert: string, settings = {}): Promise<TestOrg> {
  const triggers = await triggersFrom({
    'event.ts': `let tries = 0
      export default {
        object: '${event}',
        async afterInsert(changes: any[], org: any) { ${afterInsert} },
      }`,
  })
  const o = await openOrg({ triggers, settings: { edition: 'enterprise', ...settings } })
  const objects = {
    [event]: {
      fields: {
        Number__c: { type: 'string', length: 20, required: true },
        Total__c: { type: 'double', precision: 10, scale: 2 },
      },
    },
  }
  const { status, text } = await o.call('PUT', '/setup/orgs/current/schema', {
    body: { mode: 'keep', objects },
  })
  assert.equal(status, 200, text)
  // From now on its events are waited for.
  await o.services.eventTriggers.runDue()
  return o
}

const publish = (o: TestOrg, event: string, numbers: readonly string[]) =>
  o.call('POST', '/composite/sobjects', {
    body: { records: numbers.map((Number__c) => ({ attributes: { type: event }, Number__c })) },
  })

const names = async (o: TestOrg): Promise<readonly string[]> => {
  const records = await fetchRecords(o, 'SELECT Name FROM Account ORDER BY CreatedDate, Name')
  return records.map(({ Name }) => String(Name))
}

/** Runs what is due until it is so: a batch that failed is due later. */
async function runUntil(o: TestOrg, isSo: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 100 && !(await isSo()); n++) {
    await o.services.eventTriggers.runDue()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const CREATE = `await org.create('Account', changes.map(({ record }) => ({ Name: record.Number__c })))`

test('a trigger of a platform event gets what was published, in batches and in order, and once', async () => {
  const o = await openListening(
    'Batch__e',
    `if (changes.length > 200) throw new Error('too many')
     await org.create('Account', changes.map(({ record }) => ({
       Name: record.Number__c,
       Description: JSON.stringify(record),
       Site: changes.length + ' ' + Object.isFrozen(record),
     })))`,
  )
  const numbers = Array.from({ length: 200 }, (_, n) => String(n).padStart(3, '0'))
  await publish(o, 'Batch__e', numbers)
  await publish(o, 'Batch__e', ['200', '201'])
  assert.deepEqual(await names(o), [], 'nothing ran in the call')
  await Promise.all([o.services.eventTriggers.runDue(), o.services.eventTriggers.runDue()])
  await o.services.eventTriggers.runDue()
  assert.deepEqual([...(await names(o))].sort(), [...numbers, '200', '201'])
  const [first, last] = await Promise.all(
    ['000', '201'].map(async (name) => {
      const query = `SELECT Description, Site, CreatedById FROM Account WHERE Name = '${name}'`
      return (await fetchRecords(o, query))[0]!
    }),
  )
  assert.equal(first!.Site, '200 true')
  assert.equal(last!.Site, '2 true')
  assert.equal(first!.CreatedById, o.userId)
  const record = JSON.parse(String(first!.Description))
  assert.deepEqual(Object.keys(record), [
    'ReplayId',
    'EventUuid',
    'CreatedDate',
    'CreatedById',
    'Number__c',
    'Total__c',
  ])
  assert.match(record.ReplayId, /^\d+$/)
  assert.equal(record.CreatedById, o.userId)
})

test('a batch that fails leaves nothing, and is tried again with its events', async () => {
  const o = await openListening('Again__e', `${CREATE}; if (++tries < 3) throw new Error('not yet')`)
  await publish(o, 'Again__e', ['a', 'b'])
  await o.services.eventTriggers.runDue()
  assert.deepEqual(await names(o), [])
  await publish(o, 'Again__e', ['c'])
  await runUntil(o, async () => (await names(o)).length > 0)
  assert.deepEqual(await names(o), ['a', 'b', 'c'])
})

test('a batch that does not end is rolled back when its time is up, and keeps nobody else waiting', async () => {
  const o = await openListening('Endless__e', `${CREATE}; if (++tries < 2) await new Promise(() => {})`, {
    callSeconds: '1',
  })
  await publish(o, 'Endless__e', ['a'])
  await o.services.eventTriggers.runDue()
  assert.deepEqual(await names(o), [])
  await runUntil(o, async () => (await names(o)).length > 0)
  assert.deepEqual(await names(o), ['a'])
})

test('a try that never came back, as of a process that was ended, is made again later', async () => {
  const o = await openListening('Lost__e', CREATE)
  await publish(o, 'Lost__e', ['a'])
  await o.services.feed.givePositions([o.org.id])
  await o.db.query(eventTriggerSql.ensure(o.org, 'lost__e'))
  const claim = eventTriggerSql.claim(o.org, 'lost__e', 1, 100)
  assert.equal((await o.db.query(claim)).length, 1)
  assert.equal((await o.db.query(claim)).length, 0, 'it is claimed')
  await o.services.eventTriggers.runDue()
  assert.deepEqual(await names(o), [])
  await runUntil(o, async () => (await names(o)).length > 0)
  assert.deepEqual(await names(o), ['a'])
})

test('an event that a trigger refuses fails with its batch', async () => {
  const o = await openListening(
    'Refused__e',
    `${CREATE}; if (++tries < 2) for (const { addError } of changes) addError('no')`,
  )
  await publish(o, 'Refused__e', ['a'])
  await o.services.eventTriggers.runDue()
  assert.deepEqual(await names(o), [])
  await runUntil(o, async () => (await names(o)).length > 0)
  assert.deepEqual(await names(o), ['a'])
})

test('events of a transaction that is rolled back start no trigger', async () => {
  const o = await openListening('Rolled__e', CREATE)
  const compositeRequest = [
    {
      method: 'POST',
      url: '/services/data/v64.0/sobjects/Rolled__e',
      referenceId: 'a',
      body: { Number__c: 'gone' },
    },
    { method: 'POST', url: '/services/data/v64.0/sobjects/Account', referenceId: 'b', body: {} },
  ]
  await o.call('POST', '/composite', { body: { allOrNone: true, compositeRequest } })
  await publish(o, 'Rolled__e', ['kept'])
  await o.services.eventTriggers.runDue()
  assert.deepEqual(await names(o), ['kept'])
})

test('a trigger works in the name of who published, with all rights, and of an administrator once that user is gone', async () => {
  const o = await openListening('Person__e', CREATE)
  const person = await addPerson(o, 'publisher')
  await allow(o, person.setId, 'Person__e', 'Read', 'Create')
  await publish(person.org, 'Person__e', ['hers'])
  await o.services.eventTriggers.runDue()
  await publish(person.org, 'Person__e', ['later'])
  await o.call('PATCH', `/sobjects/User/${person.id}`, { body: { IsActive: false } })
  await o.services.eventTriggers.runDue()
  const records = await fetchRecords(o, 'SELECT Name, CreatedById FROM Account ORDER BY Name')
  assert.deepEqual(
    records.map(({ Name, CreatedById }) => [Name, CreatedById]),
    [
      ['hers', person.id],
      ['later', o.userId],
    ],
  )
})

test('events from before the first server with a trigger start none', async () => {
  const objects = { Before__e: { fields: { Number__c: { type: 'string', length: 20 } } } }
  const earlier = await openOrg()
  await earlier.call('PUT', '/setup/orgs/current/schema', { body: { mode: 'keep', objects } })
  await publish(earlier, 'Before__e', ['before'])
  const later = await openListening('Before__e', CREATE)
  // The same database, and the events of all orgs in it.
  await later.services.eventTriggers.runDue()
  assert.deepEqual(await names(earlier), [])
  await publish(earlier, 'Before__e', ['after'])
  await later.services.eventTriggers.runDue()
  assert.deepEqual(await names(earlier), ['after'])
})

test('a trigger of a platform event has afterInsert alone', async () => {
  await assert.rejects(
    triggersFrom({ 'x.ts': `export default { object: 'X__e', beforeInsert() {} }` }),
    /has beforeInsert; a trigger of a platform event has afterInsert, when it is published/,
  )
})
