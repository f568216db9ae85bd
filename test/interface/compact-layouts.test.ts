import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'

let o: TestOrg
let clerk: Person

// biome-ignore lint/suspicious/noExplicitAny: a layout
type Body = any

before(async () => {
  o = await openOrg()
  await fetchSteps(o, { Box__c: { labelPlural: 'Boxes' } })
  clerk = await addPerson(o, 'clerk')
  await allow(o, clerk.setId, 'Box__c', 'Read')
})

describe('compact layouts', () => {
  test('have the name of a record and the first fields that tell something', async () => {
    const { body } = await o.call('GET', '/sobjects/Account/describe/compactLayouts')
    const [layout] = body.compactLayouts
    assert.deepEqual([layout.id, layout.name, layout.objectType], [null, 'SYSTEM', 'Account'])
    const fields = layout.fieldItems.map((item: Body) => item.layoutComponents[0].value)
    assert.deepEqual(fields, ['Name', 'Type', 'Phone', 'Fax', 'AccountNumber'])
    const [mapping] = body.recordTypeCompactLayoutMappings
    assert.equal(mapping.recordTypeId, '012000000000000AAA')
    assert.deepEqual((await o.call('GET', body.urls.primary)).body, layout)
  })

  test('of several objects are found by their names', async () => {
    const { body } = await o.call('GET', '/compactLayouts?q=account,%20Box__c')
    assert.deepEqual(Object.keys(body), ['Account', 'Box__c'])
    assert.equal(body.Box__c.objectType, 'Box__c')
  })

  test('are refused when the objects are not named, too many, or not there', async () => {
    for (const path of ['/compactLayouts', '/compactLayouts?q=', '/compactLayouts?q=,,']) {
      assertRefused(await o.call('GET', path), 400, 'MISSING_ARGUMENT', /q/)
    }
    const many = `/compactLayouts?q=${Array(101).fill('Account')}`
    assertRefused(await o.call('GET', many), 400, 'ILLEGAL_QUERY_PARAMETER_VALUE', /101/)
    const unknown = await o.call('GET', '/compactLayouts?q=Account,Nothing')
    assertRefused(unknown, 400, 'INVALID_TYPE', "sObject type 'Nothing' is not supported.")
  })
})

describe('tabs and the theme', () => {
  test('have an entry for every object that people work with and the caller may see', async () => {
    const tabs = (await o.call('GET', '/tabs')).body
    const account = tabs.find((tab: Body) => tab.sobjectName === 'Account')
    const { colors, ...rest } = account
    assert.match(colors[0].color, /^[0-9A-F]{6}$/)
    assert.equal(rest.name, 'standard-Account')
    assert.equal(rest.label, 'Accounts')
    assert.match(rest.url, /^https?:\/\/[^/]+\/001\/o$/)
    assert.deepEqual([rest.custom, rest.icons], [false, []])
    assert.ok(!tabs.some((tab: Body) => ['Profile', 'RecordType', 'AccountShare'].includes(tab.sobjectName)))
    const { themeItems } = (await o.call('GET', '/theme')).body
    assert.deepEqual(
      themeItems.map((item: Body) => [item.name, item.colors]),
      tabs.map((tab: Body) => [tab.sobjectName, tab.colors]),
    )
    const seen = (await clerk.call('GET', '/tabs')).body.map((tab: Body) => tab.name)
    assert.deepEqual(seen, ['Box__c'])
  })
})

test('there are no approval layouts and no quick actions, of objects that there are', async () => {
  const approvals = await o.call('GET', '/sobjects/Account/describe/approvalLayouts')
  assert.deepEqual(approvals.body, { approvalLayouts: [] })
  for (const path of ['/quickActions', '/sobjects/Account/quickActions']) {
    assert.deepEqual((await o.call('GET', path)).body, [])
  }
  for (const path of ['describe/approvalLayouts', 'quickActions', 'describe/compactLayouts']) {
    assertRefused(await o.call('GET', `/sobjects/Nothing/${path}`), 404, 'NOT_FOUND', NO_RESOURCE)
  }
})
