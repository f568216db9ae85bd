import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { assertSteps, assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* What holds for tasks and events alike. */

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
