import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Connection } from 'jsforce'
import { openOrg, type TestOrg } from '../support/org.ts'

/* jsforce, unmodified, on the metadata for drawing pages, over a real port. */

// biome-ignore lint/suspicious/noExplicitAny: jsforce types what it reads as unknown
type Body = any

describe('the methods of jsforce for layouts, tabs and list views', () => {
  let o: TestOrg
  let conn: Connection

  before(async () => {
    o = await openOrg()
    const instanceUrl = await o.server.listen({ host: '127.0.0.1', port: 0 })
    conn = new Connection({ instanceUrl, accessToken: o.token, version: '64.0' })
    await o.create('Account', { Name: 'Acme' })
  })
  after(() => o.server.close())

  test('read layouts, compact layouts and approval layouts', async () => {
    const account = conn.sobject('Account')
    const { layouts, recordTypeMappings } = await account.layouts()
    assert.equal(layouts[0]!.detailLayoutSections[0]!.heading, 'Account Information')
    assert.equal(recordTypeMappings[0].layoutId, layouts[0]!.id)
    const { compactLayouts } = await account.compactLayouts()
    assert.equal(compactLayouts[0]!.name, 'SYSTEM')
    assert.deepEqual((await account.approvalLayouts()).approvalLayouts, [])
    assert.deepEqual(await account.quickActions(), [])
  })

  test('read tabs, the theme and quick actions', async () => {
    const tabs = await conn.tabs()
    assert.ok(tabs.some(({ sobjectName, label }) => sobjectName === 'Account' && label === 'Accounts'))
    assert.equal((await conn.theme()).themeItems.length, tabs.length)
    assert.deepEqual(await conn.quickActions(), [])
  })

  test('list, describe, explain and run list views', async () => {
    const account = conn.sobject('Account')
    const { listviews } = (await account.listviews()) as Body
    const [{ id }] = listviews
    const view = account.listview(id)
    const described = (await view.describe()) as Body
    assert.match(described.query, /^SELECT Name, .* FROM Account ORDER BY Name/)
    const { records } = (await view.results()) as Body
    assert.deepEqual(records[0].columns[0], { fieldNameOrPath: 'Name', value: 'Acme' })
    const explained = (await view.explain()) as Body
    assert.equal(explained.plans[0].sobjectType, 'Account')
    assert.equal(explained.sourceQuery, described.query)
  })
})
