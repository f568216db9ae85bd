import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords, queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { assertValues } from '../support/derived.ts'
import { findDiffering } from '../support/find-differing.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Values of records that follow from the tasks and events about them. */

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-01' }
const closed = (day: string) => ({ Subject: 'S', ActivityDate: day, Status: 'Completed' })
const open = (day: string) => ({ Subject: 'S', ActivityDate: day })

describe('the last activity of a record', () => {
  let o: TestOrg
  let account: string
  let contact: string
  let deal: string
  before(async () => {
    o = await openOrg()
    const objects = { Project__c: { activities: true, fields: {} }, Quiet__c: { fields: {} } }
    await fetchSteps(o, objects as never, { mode: 'keep' })
  })

  const change = async (object: string, id: string, body: object) =>
    assert.equal((await o.call('PATCH', `/sobjects/${object}/${id}`, { body })).status, 204)
  const remove = async (object: string, id: string) =>
    assert.equal((await o.call('DELETE', `/sobjects/${object}/${id}`)).status, 204)
  const last = async (object: string, id: string) =>
    (await o.call('GET', `/sobjects/${object}/${id}`)).body.LastActivityDate
  const lasts = async () => [
    await last('Account', account),
    await last('Contact', contact),
    await last('Opportunity', deal),
  ]
  const addRecords = async () => {
    account = await o.create('Account', { Name: 'Acme' })
    contact = await o.create('Contact', { LastName: 'Lee', AccountId: account })
    deal = await o.create('Opportunity', { ...DEAL, AccountId: account })
  }

  test('is the day of the last closed task or event of what it is about, of its person and its account', async () => {
    await addRecords()
    await o.create('Task', { ...open('2026-05-09'), WhoId: contact, WhatId: deal })
    assert.deepEqual(await lasts(), [null, null, null])
    await o.create('Task', { ...closed('2026-05-01'), WhoId: contact, WhatId: deal })
    assert.deepEqual(await lasts(), ['2026-05-01', '2026-05-01', '2026-05-01'])
    await o.create('Task', { ...closed('2026-04-01'), WhoId: contact, WhatId: deal })
    const StartDateTime = '2026-05-03T10:00:00Z'
    await o.create('Event', { Subject: 'E', StartDateTime, DurationInMinutes: 5, WhoId: contact })
    assert.deepEqual(await lasts(), ['2026-05-03', '2026-05-03', '2026-05-01'])
  })

  test('is known of cases and assets, and of objects of the own that tasks and events may be about', async () => {
    const about = [
      ['Case', await o.create('Case', { Subject: 'S' })],
      ['Asset', await o.create('Asset', { Name: 'A', AccountId: await o.create('Account', { Name: 'A' }) })],
      ['Project__c', await o.create('Project__c', { Name: 'P' })],
    ] as const
    for (const [object, id] of about) {
      assert.equal(await last(object, id), null, object)
      const task = await o.create('Task', { ...closed('2026-05-04'), WhatId: id })
      await o.create('Task', { ...open('2026-06-04'), WhatId: id })
      const StartDateTime = '2026-05-02T10:00:00Z'
      await o.create('Event', { Subject: 'E', StartDateTime, DurationInMinutes: 5, WhatId: id })
      assert.equal(await last(object, id), '2026-05-04', object)
      const query = `SELECT Id FROM ${object} WHERE LastActivityDate >= 2026-05-04 ORDER BY LastActivityDate`
      assert.deepEqual(await fetchRecords(o, query), [{ Id: id }])
      await remove('Task', task)
      assert.equal(await last(object, id), '2026-05-02', object)
      const refused = await o.call('PATCH', `/sobjects/${object}/${id}`, {
        body: { LastActivityDate: '2026-01-01' },
      })
      assert.equal(refused.body[0].errorCode, 'INVALID_FIELD_FOR_INSERT_UPDATE')
    }
    const { body } = await o.call('GET', '/sobjects/Quiet__c/describe')
    assert.ok(!body.fields.some(({ name }: { name: string }) => name === 'LastActivityDate'))
  })

  test('follows changes, moves, deletions and restorations', async () => {
    await addRecords()
    const id = await o.create('Task', { ...open('2026-05-09'), WhatId: deal })
    await change('Task', id, { Status: 'Completed' })
    assert.deepEqual(await lasts(), ['2026-05-09', null, '2026-05-09'])
    await change('Task', id, { ActivityDate: '2026-05-02' })
    assert.deepEqual(await lasts(), ['2026-05-02', null, '2026-05-02'])
    await change('Task', id, { WhatId: null, WhoId: contact })
    assert.deepEqual(await lasts(), ['2026-05-02', '2026-05-02', null])
    const other = await o.create('Contact', { LastName: 'Of no account' })
    await change('Task', id, { WhoId: other })
    assert.deepEqual(await lasts(), [null, null, null])
    assert.equal(await last('Contact', other), '2026-05-02')
    await change('Task', id, { WhoId: contact })
    await remove('Task', id)
    assert.deepEqual(await lasts(), [null, null, null])
    assert.equal(await last('Contact', other), null)
  })

  test('is changed without a change of the record by anybody', async () => {
    await addRecords()
    const read = async () => (await o.call('GET', `/sobjects/Opportunity/${deal}`)).body
    const { LastModifiedDate, SystemModstamp } = await read()
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await o.create('Task', { ...closed('2026-05-01'), WhatId: deal })
    const after = await read()
    assert.equal(after.LastModifiedDate, LastModifiedDate)
    assert.notEqual(after.SystemModstamp, SystemModstamp)
    const listed = await fetchRecords(o, `SELECT Id FROM Opportunity WHERE LastActivityDate = 2026-05-01`)
    assert.ok(listed.some(({ Id }) => Id === deal))
  })

  test('is counted once for a list, and for many writes at once', async () => {
    await addRecords()
    const records = ['2026-03-01', '2026-03-03', '2026-03-02'].map((day) => ({
      attributes: { type: 'Task' },
      ...closed(day),
      WhatId: deal,
      WhoId: contact,
    }))
    await o.call('POST', '/composite/sobjects', { body: { records } })
    assert.deepEqual(await lasts(), ['2026-03-03', '2026-03-03', '2026-03-03'])
    const days = Array.from({ length: 16 }, (_, index) => `2026-04-${String(index + 1).padStart(2, '0')}`)
    const parents = [{ WhatId: deal }, { WhoId: contact }, { WhatId: account, WhoId: contact }]
    const made = await Promise.all(
      days.map((day, index) => o.create('Task', { ...closed(day), ...parents[index % parents.length] })),
    )
    assert.deepEqual(await lasts(), ['2026-04-16', '2026-04-15', '2026-04-16'])
    await Promise.all(
      made.map((id, index) =>
        index % 2 === 0 ? remove('Task', id) : change('Task', id, { Status: 'Not Started' }),
      ),
    )
    assert.deepEqual(await lasts(), ['2026-03-03', '2026-03-03', '2026-03-03'])
    assert.deepEqual(await findDiffering(o), [])
  })
})

describe('an opportunity', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('has an open activity while a task is open or an event has not ended', async () => {
    const id = await o.create('Opportunity', DEAL)
    const has = (HasOpenActivity: boolean, HasOverdueTask: boolean) =>
      assertValues(o, 'Opportunity', id, { HasOpenActivity, HasOverdueTask })
    await has(false, false)
    const task = await o.create('Task', { ...open('2099-01-01'), WhatId: id })
    await has(true, false)
    await o.call('PATCH', `/sobjects/Task/${task}`, { body: { ActivityDate: '2020-01-01' } })
    await has(true, true)
    await o.call('PATCH', `/sobjects/Task/${task}`, { body: { Status: 'Completed' } })
    await has(false, false)
    const StartDateTime = '2098-05-03T10:00:00Z'
    await o.create('Event', { Subject: 'E', StartDateTime, DurationInMinutes: 5, WhatId: id })
    await has(true, false)
    const groups = await fetchRecords(
      o,
      `SELECT HasOpenActivity, COUNT(Id) n FROM Opportunity WHERE Id = '${id}' GROUP BY HasOpenActivity`,
    )
    assert.deepEqual(
      groups.map(({ HasOpenActivity, n }) => [HasOpenActivity, n]),
      [[true, 1]],
    )
    const { body } = await o.call('GET', `/sobjects/Opportunity/${id}`)
    assert.deepEqual([body.HasOpenActivity, body.HasOverdueTask], [true, false])
  })

  test('is neither found nor sorted by its open activities', async () => {
    for (const end of ['WHERE HasOpenActivity = true', 'ORDER BY HasOverdueTask']) {
      const answer = await o.call('GET', queryPath(`SELECT Id FROM Opportunity ${end}`))
      assertRefused(answer, 400, 'INVALID_FIELD', /HasO/)
    }
    const { body } = await o.call('GET', '/sobjects/Opportunity/describe')
    for (const field of body.fields.filter(({ name }: { name: string }) => /^HasO.*(ty|sk)$/.test(name)))
      assert.deepEqual([field.filterable, field.sortable, field.groupable], [false, false, true], field.name)
  })
})
