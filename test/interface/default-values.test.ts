import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'

let o: TestOrg
let types: Record<string, string>

before(async () => {
  o = await openOrg()
  await fetchSteps(o, {
    Box__c: {
      fields: {
        Size__c: { type: 'picklist', values: ['S', { value: 'M', default: true }, 'L'] },
        Count__c: { type: 'int', default: 3 },
        Day__c: { type: 'date', default: '2026-02-03' },
        Moment__c: { type: 'datetime', default: '2026-02-03T04:05:06Z' },
        Tall__c: { type: 'boolean' },
        Raised__c: { type: 'boolean', default: true },
        Number__c: { type: 'autonumber' },
        Code__c: { type: 'string', default: 'none', createable: false },
        Note__c: { type: 'string' },
      },
      recordTypes: {
        Plain: { default: true },
        Small: { picklists: { size__c: ['S'] } },
        Gone: { inactive: true },
      },
    },
  })
  const { recordTypeInfos } = (await o.call('GET', '/sobjects/Box__c/describe')).body
  types = Object.fromEntries(
    recordTypeInfos.map((info: Record<string, string>) => [info.developerName, info.recordTypeId]),
  )
})

const url = (query = '') => `/sobjects/Box__c/defaultValues${query}`

async function fetchDefaults(query?: string, caller: Pick<TestOrg, 'call'> = o) {
  const { status, body, text } = await caller.call('GET', url(query))
  assert.equal(status, 200, text)
  const { attributes, ...values } = body
  assert.deepEqual(attributes, { type: 'Box__c' })
  return values
}

const ALL = {
  Size__c: 'M',
  Count__c: 3,
  Day__c: '2026-02-03',
  Moment__c: '2026-02-03T04:05:06.000+0000',
  Tall__c: false,
  Raised__c: true,
}

test('The default values are what a create that says nothing gives', async () => {
  const values = await fetchDefaults()
  assert.deepEqual(values, { ...ALL, RecordTypeId: types.Plain, OwnerId: o.userId })
  const id = await o.create('Box__c', {})
  const record = (await o.call('GET', `/sobjects/Box__c/${id}?fields=${Object.keys(values)}`)).body
  for (const [name, value] of Object.entries(values)) assert.equal(record[name], value, name)
})

test('Addresses with empty parameters, as describes have them, are the same', async () => {
  assert.deepEqual(await fetchDefaults('?recordTypeId&fields'), await fetchDefaults())
})

test('A record type allows its values only: a default that is not among them is ignored', async () => {
  const { Size__c: _, ...others } = ALL
  const small = await fetchDefaults(`?recordTypeId=${types.Small}`)
  assert.deepEqual(small, { ...others, RecordTypeId: types.Small, OwnerId: o.userId })
  const short = await fetchDefaults(`?recordTypeId=${types.Small!.slice(0, 15)}`)
  assert.deepEqual(short, small)
  const master = await fetchDefaults('?recordTypeId=012000000000000AAA')
  assert.deepEqual(master, { ...ALL, OwnerId: o.userId })
  const id = await o.create('Box__c', { RecordTypeId: types.Small })
  const record = (await o.call('GET', `/sobjects/Box__c/${id}`)).body
  assert.deepEqual([record.Size__c, record.Count__c], [null, 3])
})

test('Named fields come in their order, with null where there is no default', async () => {
  const values = await fetchDefaults('?fields=note__c,Count__c,Number__c,Code__c,Size__c,Count__c')
  assert.deepEqual(Object.entries(values), [
    ['Note__c', null],
    ['Count__c', 3],
    ['Number__c', null],
    ['Code__c', null],
    ['Size__c', 'M'],
  ])
})

test('A caller gets the defaults of the fields that the caller may write', async () => {
  const clerk = await addPerson(o, 'clerk')
  await allow(o, clerk.setId, 'Box__c', 'Read', 'Create')
  await allowField(o, clerk.setId, 'Box__c.Size__c')
  await allowField(o, clerk.setId, 'Box__c.Count__c', 'Edit')
  assert.deepEqual(await fetchDefaults('', clerk), {
    Count__c: 3,
    RecordTypeId: types.Plain,
    OwnerId: clerk.id,
  })
  assertRefused(await clerk.call('GET', url('?fields=Day__c')), 400, 'INVALID_FIELD', /Day__c/)
})

test('What is not there is refused', async () => {
  const gone = await o.call('GET', '/sobjects/Nothing__c/defaultValues')
  assertRefused(gone, 404, 'NOT_FOUND', NO_RESOURCE)
  for (const id of ['x', types.Gone, '012000000000001AAA', o.userId, '%00']) {
    const answer = await o.call('GET', url(`?recordTypeId=${id}`))
    assertRefused(answer, 400, 'ILLEGAL_QUERY_PARAMETER_VALUE', /recordTypeId names no record type of Box__c/)
  }
  for (const fields of ['Nothing__c', 'Count__c,,', ',']) {
    assertRefused(await o.call('GET', url(`?fields=${fields}`)), 400, 'INVALID_FIELD', /No such column/)
  }
  const posted = await o.call('POST', url(), { body: {} })
  assert.deepEqual([posted.status, posted.body[0].errorCode], [405, 'METHOD_NOT_ALLOWED'])
})
