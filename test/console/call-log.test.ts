import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Calls', exact: true })
const panelOf = (page: Page) => page.getByRole('region', { name: 'Call', exact: true })
const rowsOf = (page: Page) =>
  gridOf(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })

describe('Call log of the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  /** The ids of requests: three queries, the second of which fails, and a composite that fails inside. */
  const ids: string[] = []

  before(async () => {
    client = await openConsoleClient()
    for (const q of ['SELECT Id FROM Account', 'SELECT Nothing FROM Account', 'SELECT Id FROM Contact']) {
      const { headers } = await client.o.call('GET', `/query?${new URLSearchParams({ q })}`)
      ids.push(String(headers['x-request-id']))
    }
    const compositeRequest = [
      { method: 'GET', url: '/services/data/v64.0/sobjects/Account/nothing', referenceId: 'one' },
    ]
    const { headers } = await client.o.call('POST', '/composite', { body: { compositeRequest } })
    ids.push(String(headers['x-request-id']))
  })
  after(() => client?.close())

  test('a call stands there with the name of its app, its duration and its status', async () => {
    const { page, open, assertAccessible, assertQuiet } = await client.logIn()
    await open('/calls')
    // Names of apps come by a call of their own.
    const row = rowsOf(page).filter({ hasText: 'INVALID_FIELD' }).filter({ hasText: 'First app' })
    await row.waitFor()
    assert.match(await row.innerText(), /400\s.*GET\s.*\/query\s.*\d m?s\s.*First app/s)
    await assertAccessible()
    assertQuiet()
  })

  test('statuses, apps and endpoints are chosen by keyboard, and have the number of their calls', async () => {
    const { page, open, assertAccessible, assertQuiet } = await client.logIn()
    await open('/calls')
    await page.getByRole('radio', { name: 'partial 1', exact: true }).waitFor({ state: 'attached' })
    await page.getByRole('radio', { name: '4xx 1', exact: true }).waitFor({ state: 'attached' })
    await page.getByRole('radio', { name: 'All', exact: true }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/[?&]status=partial/)
    await page.getByText('1 of all 3 calls that the server found', { exact: true }).waitFor()
    assert.match(await rowsOf(page).innerText(), /200, failed/)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => !url.search.includes('status'))

    await page.getByRole('combobox', { name: 'App', exact: true }).focus()
    await page.keyboard.type('First')
    await page.getByRole('option', { name: 'First app 4', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/[?&]app=/)
    await page.getByRole('combobox', { name: 'Endpoint', exact: true }).focus()
    await page.keyboard.type('query')
    await page.getByRole('option', { name: 'GET /query 3', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await assertAccessible()
    await page.keyboard.press('Enter')
    await page.waitForURL(/[?&]endpoint=GET/)
    await page.getByText('3 of all 4 calls that the server found', { exact: true }).waitFor()
    assertQuiet()
  })

  test('what is chosen stays when the page is read again, and on the way back', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/calls')
    await rowsOf(page).first().waitFor()
    await page.getByLabel('Slower than', { exact: true }).fill('3600000')
    await page.getByRole('heading', { name: 'No call is like this' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'No call is like this' }).waitFor()
    await page.getByText('0 of all 4 calls', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Limits', exact: true }).click()
    await page.getByText('DailyApiRequests').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'No call is like this' }).waitFor()
    assert.equal(await page.getByLabel('Slower than', { exact: true }).inputValue(), '3600000')
    await page.getByLabel('Slower than', { exact: true }).fill('')
    await rowsOf(page).nth(3).waitFor()
    assertQuiet()
  })

  test('calls slower than so many milliseconds are found', async () => {
    const { body } = await client.o.call('GET', '/setup/orgs/current/calls?path=/services/data')
    const durations: number[] = body.calls
      .filter(({ requestId }: { requestId: string }) => ids.includes(requestId))
      .map(({ durationMs }: { durationMs: number }) => durationMs)
      .sort((a: number, b: number) => a - b)
    const least = Math.floor(durations[2]!)
    const { page, open, assertQuiet } = await client.logIn()
    await open('/calls')
    await page.getByLabel('Slower than', { exact: true }).fill(String(least))
    const found = durations.filter((one) => one > least).length
    await page.getByText(`${found} of all 4 calls`, { exact: true }).waitFor()
    assert.equal(await rowsOf(page).count(), found)
    assertQuiet()
  })

  test('one box finds a request id, a part of a path, and a code', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/calls')
    const find = page.getByLabel('Find', { exact: true })
    for (const [text, expected] of [
      [ids[0]!, /v64.0\/query/],
      ['composite', /v64.0\/composite/],
      ['/services/data/v64.0/comp', /v64.0\/composite/],
      ['invalid_f', /INVALID_FIELD/],
    ] as const) {
      await find.fill(text)
      await page.waitForURL((url) => url.searchParams.get('find') === text)
      await rowsOf(page).filter({ hasText: expected }).waitFor()
      await rowsOf(page).nth(1).waitFor({ state: 'detached' })
    }
    assertQuiet()
  })

  test('the open call follows the arrows, and Escape leads back to its row', async () => {
    const { page, open, assertAccessible, assertQuiet } = await client.logIn()
    await open('/calls')
    await rowsOf(page).nth(3).waitFor()
    const panel = panelOf(page)
    await gridOf(page).focus()
    await page.keyboard.press('Enter')
    await panel.getByText(ids[3]!, { exact: true }).waitFor()
    assert.match(page.url(), /[?&]call=\d+/)
    await page.keyboard.press('ArrowDown')
    await panel.getByText(ids[2]!, { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await panel.getByText(ids[1]!, { exact: true }).waitFor()
    await page.keyboard.press('ArrowUp')
    await panel.getByText(ids[2]!, { exact: true }).waitFor()
    // Also when keys come faster than calls are read.
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
    await panel.getByText(ids[2]!, { exact: true }).waitFor()
    await gridOf(page).getByRole('row', { selected: true }).filter({ hasText: /^2/ }).waitFor()
    await assertAccessible()

    // In the panel Escape does the same.
    await panel.getByRole('button', { name: 'Next call', exact: true }).focus()
    await page.keyboard.press('Enter')
    await panel.getByText(ids[1]!, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assert.ok(!page.url().includes('call='))
    await page.keyboard.press('Enter')
    await panel.getByText(ids[1]!, { exact: true }).waitFor()
    assertQuiet()
  })

  test('an open call is in the address, from where its row has the focus; a step back closes it', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/calls')
    await gridOf(page).getByRole('link').nth(1).click()
    const panel = panelOf(page)
    await panel.getByText(ids[2]!, { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await panel.getByText(ids[1]!, { exact: true }).waitFor()
    await page.reload()
    await panel.getByText(ids[1]!, { exact: true }).waitFor()
    await rowsOf(page).nth(3).waitFor()
    await page.keyboard.press('ArrowDown')
    await panel.getByText(ids[0]!, { exact: true }).waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    assertQuiet()
  })

  test('on a narrow screen an open call lies over the list, with a way back', async () => {
    const { page, open, assertAccessible, assertQuiet } = await client.logIn({ width: 390 })
    await open('/calls')
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Find', { exact: true }).fill('/query')
    await page.getByRole('button', { name: 'Filters (1)', exact: true }).waitFor()
    await gridOf(page).getByRole('link').nth(0).click()
    const panel = panelOf(page)
    await panel.getByText(ids[2]!, { exact: true }).waitFor()
    assert.equal((await panel.boundingBox())?.width, 390)
    await assertAccessible()
    await panel.getByRole('button', { name: 'Next call', exact: true }).click()
    await panel.getByText(ids[1]!, { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Calls', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await panel.getByText(ids[1]!, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assertQuiet()
  })

  test('an open call shows its query and messages where they were kept, and says so where they were not', async () => {
    const { page, open, assertAccessible, assertQuiet } = await client.logIn()
    await open(`/calls?find=${ids[1]}`)
    const panel = panelOf(page)
    await gridOf(page).getByRole('link').click()
    await panel.getByText('Its message was not kept.', { exact: true }).waitFor()
    await panel.getByText(/^Its query, bodies and messages were not kept/).waitFor()

    await client.o.call('PUT', '/setup/orgs/current/calls/settings', { body: { bodies: true } })
    // Servers read settings again after half a second.
    await page.waitForTimeout(700)
    const q = 'SELECT Nothing FROM Contact'
    const failed = await client.o.call('GET', `/query?${new URLSearchParams({ q })}`)
    const compositeRequest = [
      { method: 'GET', url: '/services/data/v64.0/sobjects/Account/nothing', referenceId: 'one' },
    ]
    const partial = await client.o.call('POST', '/composite', { body: { compositeRequest } })
    await open(`/calls?find=${failed.headers['x-request-id']}`)
    await gridOf(page).getByRole('link').click()
    await panel.getByRole('alert').getByText(failed.body[0].message.split('\n').at(-1).trim()).waitFor()
    await panel.getByRole('heading', { name: 'Query', exact: true }).waitFor()
    await panel.getByText(q, { exact: true }).waitFor()
    await assertAccessible()
    await open(`/calls?find=${partial.headers['x-request-id']}`)
    await gridOf(page).getByRole('link').click()
    await panel.getByRole('alert').getByText(partial.body.compositeResponse[0].body[0].message).waitFor()
    await open(`/calls?find=${failed.headers['x-request-id']}`)
    await gridOf(page).getByRole('link').click()
    await panel.getByRole('link', { name: 'Open in Query', exact: true }).click()
    await page.waitForURL(/\/query\?q=SELECT/)
    await client.o.call('PUT', '/setup/orgs/current/calls/settings', { body: { bodies: false } })
    assertQuiet()
  })

  test('calls further back than those on the screen are found by their request id', async () => {
    for (const batch of [120, 120]) {
      await Promise.all(Array.from({ length: batch }, () => client.o.call('GET', '/limits')))
      // More calls of a second than 200 would not be kept.
      await new Promise((resolve) => setTimeout(resolve, 1200))
    }
    const { page, open, assertQuiet } = await client.logIn()
    await open('/calls')
    await page.getByText('The last 200 calls', { exact: true }).waitFor()
    await page.getByLabel('Find', { exact: true }).fill(ids[0]!)
    await rowsOf(page).filter({ hasText: '/query' }).waitFor()
    await page.getByText(/^1 of all 2\d\d calls$/).waitFor()
    await page.getByLabel('Find', { exact: true }).fill('')
    await gridOf(page).focus()
    await page.keyboard.press('Control+End')
    await page.getByText(/^2\d\d calls$/).waitFor()
    assertQuiet()
  })
})
