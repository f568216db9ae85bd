import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED, type ChromiumClient, openChromiumClient } from '../support/chromium.ts'

describe('the address that `objectry open` gives', CHROMIUM_NEEDED, () => {
  let client: ChromiumClient
  before(async () => {
    client = await openChromiumClient()
  })
  after(() => client?.close())

  test('opens the console signed in, without a question', async () => {
    const { body } = await client.o.call('POST', '/setup/orgs/current/users/current/access', {
      body: { startPath: '/console/query' },
    })
    const { page } = await client.open()
    page.setDefaultTimeout(45_000)
    await page.goto(`${client.address}${body.path}`)
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    assert.match(page.url(), /\/console\/query/)
  })
})
