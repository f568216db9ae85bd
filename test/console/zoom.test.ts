import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

/** The window of a page of 1280 × 800 pixels whose letters are twice as large. */
const ZOOMED = { width: 640, height: 400 }

describe('the console at a zoom of 200 %', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  let id: string
  before(async () => {
    client = await openConsoleClient()
    id = await client.o.create('Account', { Name: 'Zoomed', Description: 'line\n'.repeat(200) })
    await client.o.call('PUT', '/setup/orgs/current/calls/settings', { body: { bodies: true } })
  })
  after(() => client?.close())

  test('shows rows of a result, and their parts are reached by the keyboard', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await page.setViewportSize(ZOOMED)
    await open(`/query?${new URLSearchParams({ q: "SELECT Id, Name FROM Account WHERE Name = 'Zoomed'" })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    const cell = page.getByRole('grid', { name: 'Result' }).getByRole('gridcell', { name: 'Zoomed' })
    await cell.scrollIntoViewIfNeeded()
    const box = await cell.boundingBox()
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= ZOOMED.height, JSON.stringify(box))
    await assertAccessible()
    await page.getByText('JSON', { exact: true }).click()
    await page.getByRole('group', { name: 'Result' }).waitFor()
    await assertAccessible()
    await page.getByRole('button', { name: 'Plan' }).click()
    await page.getByRole('heading', { name: 'SQL', exact: true }).waitFor()
    await assertAccessible()
    assertQuiet()
  })

  test('the edge below the editor is moved by keys and by the pointer, and stays where it was left', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    const edge = page.getByRole('separator', { name: 'Height of the editor' })
    const height = async () => (await edge.boundingBox())!.y
    await edge.focus()
    const before = await height()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    assert.equal(await height(), before + 48)
    const { x, y } = (await edge.boundingBox())!
    await page.mouse.move(x + 200, y + 3)
    await page.mouse.down()
    await page.mouse.move(x + 200, y + 63)
    await page.mouse.up()
    assert.equal(await height(), before + 108)
    await page.reload()
    await edge.waitFor()
    assert.equal(await height(), before + 108)
  })

  test('axe finds nothing serious where something scrolls', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await page.setViewportSize(ZOOMED)
    await open(`/records/Account/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Zoomed' }).waitFor()
    await page.getByRole('group', { name: 'Account Description' }).waitFor()
    await assertAccessible()
    await page.getByRole('tab', { name: 'All fields' }).click()
    await assertAccessible()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Name').waitFor()
    await assertAccessible()
    await open('/explorer')
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response' })
    await response.getByText('200', { exact: true }).waitFor()
    await response.getByText('Headers').click()
    await assertAccessible()
    await client.o.call('PATCH', `/sobjects/Account/${id}`, { body: { Description: 'long\n'.repeat(900) } })
    await open('/calls?find=sobjects/Account')
    await page.getByRole('grid', { name: 'Calls' }).getByText('PATCH').first().dblclick()
    await page.getByRole('region', { name: 'Call', exact: true }).getByText(/long/).first().waitFor()
    await assertAccessible()
    assertQuiet()
  })
})
