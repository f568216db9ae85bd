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

  test('keeps working in a tab that a link with an unknown org was opened in', async () => {
    const { body } = await client.o.call('POST', '/setup/orgs/current/users/current/access')
    const { page } = await client.open()
    page.setDefaultTimeout(45_000)
    const screens = page.getByRole('navigation', { name: 'Screens' })
    await page.goto(`${client.address}${body.path}`)
    await screens.waitFor()
    await page.goto(`${client.address}/console/?org=nowhere`)
    await page.getByText('invalid_org').waitFor()
    await page.goto(`${client.address}/console/`)
    await screens.waitFor()
    // An org that lets the tab in stays the tab's.
    await page.goto(`${client.address}/console/?org=${client.o.org.id}`)
    await screens.waitFor()
    assert.equal(await page.evaluate(() => sessionStorage.getItem('objectry.org')), client.o.org.id)
  })
})
