import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

describe('Call log and Limits in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
  })
  after(() => client?.close())

  test('a call comes by itself, and opens with its statements', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open('/calls')
    const grid = page.getByRole('grid', { name: 'Calls' })
    await grid.waitFor()
    await open(`/query?${new URLSearchParams({ q: 'SELECT Id, Name FROM Account LIMIT 7' })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('No rows').waitFor()
    await open('/calls?path=query')
    await grid
      .getByRole('gridcell', { name: /\/query$/ })
      .first()
      .dblclick()
    await page.getByRole('heading', { name: 'Statements' }).waitFor()
    await page
      .getByText(/^select /)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await assertAccessible()
    assertQuiet()
  })

  test('limits show what is used, by which app and in which version', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open('/limits')
    await page.getByText('DailyApiRequests').waitFor()
    await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor()
    await page.getByRole('cell', { name: 'Objectry Console' }).waitFor()
    await page.getByRole('heading', { name: 'API versions in use' }).waitFor()
    await assertAccessible()
    assertQuiet()
  })
})
