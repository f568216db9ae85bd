import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'

/* When an org works. (docs/reference/api/standard-objects.md#business-hours) */

const FIRST = '01mOB0z0000001mYAA'

const SUPPORT = {
  Name: 'Support',
  IsActive: true,
  MondayStartTime: '09:00:00.000Z',
  MondayEndTime: '17:30:00.000Z',
  TimeZoneSidKey: 'Asia/Tokyo',
}

const change = (o: TestOrg, id: string, body: object) =>
  o.call('PATCH', `/sobjects/BusinessHours/${id}`, { body })

async function write(o: TestOrg, id: string, body: object): Promise<void> {
  const { status, text } = await change(o, id, body)
  assert.equal(status, 204, text)
}

const listDefaults = async (o: TestOrg) => {
  const found = await fetchRecords(o, 'SELECT Id FROM BusinessHours WHERE IsDefault = true')
  return found.map(({ Id }) => Id)
}

describe('business hours', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })

  test('are around the clock in the time zone of a new org', async () => {
    const times = ['Sunday', 'Wednesday', 'Saturday'].flatMap((day) => [`${day}StartTime`, `${day}EndTime`])
    await assertValues(o, 'BusinessHours', FIRST, {
      Name: 'Default',
      IsActive: true,
      IsDefault: true,
      TimeZoneSidKey: 'GMT',
      ...Object.fromEntries(times.map((name) => [name, '00:00:00.000Z'])),
    })
  })

  test('are described as what is created and changed, and never deleted', async () => {
    const { body } = await o.call('GET', '/sobjects/BusinessHours/describe')
    const { createable, updateable, deletable, undeletable } = body
    assert.deepEqual(
      { createable, updateable, deletable, undeletable },
      { createable: true, updateable: true, deletable: false, undeletable: false },
    )
    const zone = body.fields.find(({ name }: { name: string }) => name === 'TimeZoneSidKey')
    assert.deepEqual(
      [zone.type, zone.restrictedPicklist, zone.nillable, zone.defaultedOnCreate, zone.defaultValue],
      ['picklist', true, false, true, null],
    )
    assertRefused(await o.call('DELETE', `/sobjects/BusinessHours/${FIRST}`), 403, 'INSUFFICIENT_ACCESS', /./)
  })

  test('are written with a start and an end of each day, and closed on the others', async () => {
    const id = await o.create('BusinessHours', SUPPORT)
    await assertValues(o, 'BusinessHours', id, {
      ...SUPPORT,
      IsDefault: false,
      TuesdayStartTime: null,
      TuesdayEndTime: null,
    })
    await write(o, id, { MondayStartTime: '12:00:00Z', MondayEndTime: '00:00:00Z' })
    await write(o, id, { MondayStartTime: null, MondayEndTime: null, Name: 'Closed' })
    await assertValues(o, 'BusinessHours', id, { Name: 'Closed', MondayStartTime: null })
  })

  test('refuse a day that only starts, only ends, or ends before it starts', async () => {
    const id = await o.create('BusinessHours', SUPPORT)
    const half = 'Monday has a start and an end, or neither: without both it is closed'
    const fields = ['MondayStartTime', 'MondayEndTime']
    for (const body of [{ MondayEndTime: null }, { MondayStartTime: null }])
      assertRefused(await change(o, id, body), 400, 'FIELD_INTEGRITY_EXCEPTION', half, fields)
    for (const end of ['08:59:59.999Z', '09:00:00Z']) {
      const answer = await change(o, id, { MondayEndTime: end })
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', 'Monday ends before it starts', fields)
    }
    const added = await o.call('POST', '/sobjects/BusinessHours', {
      body: { Name: 'Half', FridayStartTime: '09:00:00Z' },
    })
    assertRefused(added, 400, 'FIELD_INTEGRITY_EXCEPTION', /^Friday has a start/, [
      'FridayStartTime',
      'FridayEndTime',
    ])
    await assertValues(o, 'BusinessHours', id, SUPPORT)
  })

  test('need a name, and take the time zones that users have', async () => {
    const noName = await o.call('POST', '/sobjects/BusinessHours', { body: { IsActive: true } })
    assertRefused(noName, 400, 'REQUIRED_FIELD_MISSING', /Name/, ['Name'])
    const zone = { Name: 'Moon', TimeZoneSidKey: 'Moon/Base' }
    const noZone = await o.call('POST', '/sobjects/BusinessHours', { body: zone })
    assertRefused(noZone, 400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', /./, ['TimeZoneSidKey'])
    const cleared = await change(o, FIRST, { TimeZoneSidKey: null })
    assert.equal(cleared.status, 400, cleared.text)
  })

  test('are in the time zone that the org has when a create gives none', async () => {
    const zone = (TimeZoneSidKey: string) =>
      o.call('PATCH', `/sobjects/Organization/${o.org.id}`, { body: { TimeZoneSidKey } })
    assert.equal((await zone('Europe/Berlin')).status, 204)
    const id = await o.create('BusinessHours', { Name: 'Berlin' })
    await assertValues(o, 'BusinessHours', id, { TimeZoneSidKey: 'Europe/Berlin' })
    await assertValues(o, 'BusinessHours', FIRST, { TimeZoneSidKey: 'GMT' })
    await zone('GMT')
  })

  test('are read by everybody, and written by who may customize the application', async () => {
    const person = await addPerson(o, 'reader')
    const read = await person.call('GET', `/sobjects/BusinessHours/${FIRST}`)
    assert.equal(read.status, 200, read.text)
    const sent = { body: { Name: 'Mine' } }
    for (const answer of [
      await person.call('PATCH', `/sobjects/BusinessHours/${FIRST}`, sent),
      await person.call('POST', '/sobjects/BusinessHours', sent),
    ])
      assert.equal(answer.status, 403, answer.text)
  })
})

describe('the default business hours', () => {
  let o: TestOrg
  let other: string
  before(async () => {
    o = await openOrg()
    other = await o.create('BusinessHours', SUPPORT)
  })

  test('give way to others that are made the default, which new cases have', async () => {
    await write(o, other, { IsDefault: true })
    assert.deepEqual(await listDefaults(o), [other])
    const own = await o.create('Case', { Subject: 'Others' })
    const given = await o.create('Case', { Subject: 'First', BusinessHoursId: FIRST })
    await assertValues(o, 'Case', own, { BusinessHoursId: other })
    await assertValues(o, 'Case', given, { BusinessHoursId: FIRST })
    const defaults = await o.call('GET', '/sobjects/Case/defaultValues?fields=BusinessHoursId')
    assert.equal(defaults.body.BusinessHoursId, other)

    const added = await o.create('BusinessHours', { ...SUPPORT, Name: 'New', IsDefault: true })
    assert.deepEqual(await listDefaults(o), [added])
    await write(o, FIRST, { IsDefault: true })
    assert.deepEqual(await listDefaults(o), [FIRST])
    await assertValues(o, 'Case', await o.create('Case', { Subject: 'S' }), { BusinessHoursId: FIRST })
  })

  test('stay the default and active until others take their place', async () => {
    const never = await change(o, FIRST, { IsDefault: false })
    const message = 'One of the business hours is always the default: make others the default instead'
    assertRefused(never, 400, 'FIELD_INTEGRITY_EXCEPTION', message, ['IsDefault'])
    const passive = await o.create('BusinessHours', { ...SUPPORT, IsActive: false })
    for (const answer of [
      await change(o, FIRST, { IsActive: false }),
      await change(o, passive, { IsDefault: true }),
      await o.call('POST', '/sobjects/BusinessHours', { body: { Name: 'New', IsDefault: true } }),
    ]) {
      const active = 'The default business hours are active'
      assertRefused(answer, 400, 'FIELD_INTEGRITY_EXCEPTION', active, ['IsActive', 'IsDefault'])
    }
    assert.deepEqual(await listDefaults(o), [FIRST])

    const records = [
      { Id: FIRST, IsDefault: false, IsActive: false },
      { Id: other, IsDefault: true },
    ].map((fields) => ({ attributes: { type: 'BusinessHours' }, ...fields }))
    const both = await o.call('PATCH', '/composite/sobjects', { body: { allOrNone: true, records } })
    assert.deepEqual(
      both.body.map(({ success }: { success: boolean }) => success),
      [true, true],
    )
    assert.deepEqual(await listDefaults(o), [other])
    await assertValues(o, 'BusinessHours', FIRST, { IsActive: false })
  })

  test('are one, whoever chooses at the same time', async () => {
    const all = await Promise.all(
      ['a', 'b', 'c', 'd'].map((Name) => o.create('BusinessHours', { ...SUPPORT, Name })),
    )
    const answers = await Promise.all(all.map((id) => change(o, id, { IsDefault: true })))
    for (const { status, text } of answers) assert.equal(status, 204, text)
    assert.equal((await listDefaults(o)).length, 1)
  })
})

describe('business hours of an org', () => {
  const list = (o: TestOrg) => fetchRecords(o, 'SELECT Id, Name, IsDefault FROM BusinessHours ORDER BY Name')

  test('come back with a snapshot, and stay in a reset', async () => {
    const o = await openOrg()
    await saveSnapshot(o, 'start')
    await o.create('BusinessHours', { ...SUPPORT, IsDefault: true })
    const changed = await list(o)
    await o.create('Case', { Subject: 'S' })
    assert.equal((await o.call('POST', '/setup/orgs/current/reset')).status, 204)
    assert.deepEqual(await list(o), changed)
    await restoreSnapshot(o, 'start')
    assert.deepEqual(await list(o), [{ Id: FIRST, Name: 'Default', IsDefault: true }])
    await assertValues(o, 'Case', await o.create('Case', { Subject: 'S' }), { BusinessHoursId: FIRST })
  })
})
