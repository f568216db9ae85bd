import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertSteps, assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Rules for tasks and events alike. */

const TIMES = { StartDateTime: '2026-05-10T10:00:00Z', DurationInMinutes: 30 }
const REMINDER = '2026-05-09T10:00:00.000+0000'

for (const [object, fields, start] of [
  ['Task', { Subject: 'T' }, 'RecurrenceStartDateOnly'],
  ['Event', { Subject: 'E', ...TIMES }, 'RecurrenceStartDateTime'],
] as const) {
  describe(`${object}:`, () => {
    let o: TestOrg
    let account: string
    let lead: string
    before(async () => {
      o = await openOrg()
      account = await o.create('Account', { Name: 'A' })
      lead = await o.create('Lead', { LastName: 'L', Company: 'C' })
    })
    const refuse = (body: object) => o.call('POST', `/sobjects/${object}`, { body: { ...fields, ...body } })

    test('with a lead is about no other record', async () => {
      const both = await refuse({ WhoId: lead, WhatId: account })
      assertRefused(both, 400, 'FIELD_INTEGRITY_EXCEPTION', /with a lead/, ['WhatId'])
      const id = await o.create(object, { ...fields, WhoId: lead })
      const moved = await o.call('PATCH', `/sobjects/${object}/${id}`, { body: { WhatId: account } })
      assertRefused(moved, 400, 'FIELD_INTEGRITY_EXCEPTION', /with a lead/, ['WhatId'])
      const contact = await o.create('Contact', { LastName: 'C', AccountId: account })
      const other = await o.call('PATCH', `/sobjects/${object}/${id}`, {
        body: { WhoId: contact, WhatId: account },
      })
      assert.equal(other.status, 204, other.text)
    })

    test('reminds at a time, which does not set the reminder by itself', async () => {
      const untimed = await refuse({ IsReminderSet: true })
      assertRefused(untimed, 400, 'REQUIRED_FIELD_MISSING', /ReminderDateTime/, ['ReminderDateTime'])
      await assertSteps(o, object, [
        [{ ...fields, ReminderDateTime: REMINDER }, { IsReminderSet: false }],
        [{ IsReminderSet: true }, { ReminderDateTime: REMINDER }],
        [{ ReminderDateTime: null }, { IsReminderSet: false }],
      ])
    })

    test('of a series says when it begins and ends and how it comes again', async () => {
      const bare = await refuse({ IsRecurrence: true })
      assertRefused(bare, 400, 'REQUIRED_FIELD_MISSING', /RecurrenceType/, [
        'RecurrenceEndDateOnly',
        start,
        'RecurrenceType',
      ])
      const rule = { RecurrenceType: 'RecursWeekly', RecurrenceInterval: 1, RecurrenceDayOfWeekMask: 3 }
      const days = {
        RecurrenceEndDateOnly: '2026-06-10',
        [start]: object === 'Task' ? '2026-05-10' : TIMES.StartDateTime,
      }
      const id = await o.create(object, { ...fields, IsRecurrence: true, ...rule, ...days })
      await assertValues(o, object, id, { IsRecurrence: true, ...rule, RecurrenceEndDateOnly: '2026-06-10' })
    })
  })
}

describe('the owner of an event', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('is described as a calendar or a user', async () => {
    const { body } = await o.call('GET', '/sobjects/Event/describe')
    const field = body.fields.find(({ name }: { name: string }) => name === 'OwnerId')
    assert.deepEqual([field.referenceTo, field.polymorphicForeignKey], [['Calendar', 'User'], true])
    const { body: calendar } = await o.call('GET', '/sobjects/Calendar/describe')
    assert.deepEqual([calendar.keyPrefix, calendar.queryable, calendar.createable], ['023', true, false])
    assert.deepEqual(await fetchRecords(o, 'SELECT FIELDS(ALL) FROM Calendar LIMIT 200'), [])
  })

  test('is a user: there are no calendars', async () => {
    const fields = { Subject: 'E', ...TIMES }
    const calendar = '023OB0000000001YAA'
    const added = await o.call('POST', '/sobjects/Event', { body: { ...fields, OwnerId: calendar } })
    assertRefused(added, 400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', [])
    const id = await o.create('Event', fields)
    const given = await o.call('PATCH', `/sobjects/Event/${id}`, { body: { OwnerId: calendar } })
    assertRefused(given, 400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id', [])
    const query =
      'SELECT OwnerId, TYPEOF Owner WHEN Calendar THEN IsActive WHEN User THEN Username END FROM Event'
    const [found] = await fetchRecords(o, query)
    const { Username } = (found as { Owner: { Username: string } }).Owner
    assert.deepEqual([found!.OwnerId, Username.length > 0], [o.userId, true])
    const owned = await fetchRecords(o, `SELECT Owner.Email FROM Event WHERE Owner.Username = '${Username}'`)
    assert.deepEqual(owned, [{ Owner: { Email: Username } }])
  })

  test('is named with its object in formulas', async () => {
    const deploy = (formula: string) => {
      const objects = { Event: { fields: { Alias__c: { type: 'string', formula } } } }
      return o.call('PUT', '/setup/orgs/current/schema', { body: { objects, mode: 'keep' } })
    }
    const unnamed = await deploy('Owner.Alias')
    assert.match(unnamed.text, /OwnerId may refer to several objects; name one of them: Owner:Calendar/)
    const named = await deploy('Owner:User.Alias')
    assert.equal(named.status, 200, named.text)
    const id = await o.create('Event', { Subject: 'E', ...TIMES })
    await assertValues(o, 'Event', id, { Alias__c: 'admin' })
  })
})
