import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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
    await open('/calls?own=on')
    const grid = page.getByRole('grid', { name: 'Calls' })
    await grid.waitFor()
    await open(`/query?${new URLSearchParams({ q: 'SELECT Id, Name FROM Account LIMIT 7' })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('No rows').waitFor()
    await open('/calls?find=query&own=on')
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

  test('calls are filtered by app, saved as an archive, and sent again in the API explorer', async () => {
    const { page, open } = await client.logIn()
    await client.o.call('GET', '/query?q=SELECT+Id+FROM+Contact+LIMIT+3')
    await open('/calls?find=/query')
    const grid = page.getByRole('grid', { name: 'Calls' })
    await grid
      .getByRole('gridcell', { name: /v64.0\/query$/ })
      .first()
      .waitFor()
    await page.getByRole('combobox', { name: 'App' }).click()
    await page.getByRole('option', { name: 'Objectry Console' }).click()
    await page.waitForURL(/app=/)
    // The console's own calls are of the newest version.
    await grid
      .getByRole('gridcell', { name: /v64.0\/query$/ })
      .first()
      .waitFor({ state: 'detached' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as HAR' }).click(),
    ])
    const { log } = JSON.parse(readFileSync(await file.path(), 'utf8'))
    assert.equal(log.version, '1.2')
    assert.ok(log.entries.length > 0)
    for (const { request, response, timings, startedDateTime, _requestId } of log.entries) {
      assert.match(request.url, /^http:.*\/query/)
      assert.ok(
        Number.isInteger(response.status) && timings.wait >= 0 && !Number.isNaN(Date.parse(startedDateTime)),
      )
      assert.match(_requestId, /./)
    }
    await grid
      .getByRole('gridcell', { name: /\/query$/ })
      .first()
      .dblclick()
    await page.getByRole('link', { name: 'Open in the API explorer' }).click()
    await page.waitForURL(/\/explorer\?.*query/)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Response' }).getByText('400', { exact: true }).waitFor()
  })

  test('a logged call opens in the API explorer with its body, however long', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    const keepBodies = (bodies: boolean) =>
      client.o.call('PUT', '/setup/orgs/current/calls/settings', { body: { bodies } })
    await keepBodies(true)
    // Servers read settings again after half a second.
    await page.waitForTimeout(700)
    for (const [Name, Description] of [
      ['Short body', 'short'],
      ['Long body', 'y'.repeat(4000)],
    ] as const) {
      const { headers } = await client.o.call('POST', '/sobjects/Account', { body: { Name, Description } })
      let id: string | undefined
      while (id === undefined) {
        const { body } = await client.o.call('GET', '/setup/orgs/current/calls?find=sobjects/Account')
        id = body.calls.find((one: { requestId: string }) => one.requestId === headers['x-request-id'])?.id
      }
      await open(`/calls?call=${id}`)
      await page.getByRole('link', { name: 'Open in the API explorer' }).click()
      await page.waitForURL(/\/explorer\?/)
      await page.getByLabel('Body', { exact: true }).last().getByText(Name).waitFor()
      assert.ok(page.url().length < 3000)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('region', { name: 'Response' }).getByText('201', { exact: true }).waitFor()
    }
    const { body } = await client.o.call(
      'GET',
      "/query?q=SELECT+COUNT()+FROM+Account+WHERE+Name+LIKE+'%25body'",
    )
    assert.equal(body.totalSize, 4)
    await keepBodies(false)
    await page.waitForTimeout(700)
    assertQuiet()
  })

  test('a logged composite with a failure inside says so, although its status is 200', async () => {
    const compositeRequest = [
      { method: 'GET', url: '/services/data/v64.0/sobjects/Account/nothing', referenceId: 'one' },
    ]
    await client.o.call('POST', '/composite', { body: { compositeRequest } })
    const { page, open, assertQuiet } = await client.logIn()
    await open('/calls?find=composite')
    const status = page.getByRole('grid', { name: 'Calls' }).getByText('200, failed').first()
    await status.dblclick()
    await page.getByRole('region', { name: 'Call', exact: true }).getByText('200, failed').waitFor()
    assertQuiet()
  })

  test('a switch that the server refuses stays as it is, and says why', async () => {
    const { page, open, assertAccessible } = await client.logIn()
    await page.route('**/calls/settings', (route) =>
      route.request().method() === 'PUT' ? route.abort('connectionrefused') : route.continue(),
    )
    await open('/calls')
    await page.getByLabel('Keep bodies').click()
    await page.getByText(/^The server does not answer/).waitFor()
    assert.equal(await page.getByLabel('Keep bodies').isChecked(), false)
    await assertAccessible()
  })

  test('calls of the console are hidden at first, which the log says', async () => {
    await client.o.call('GET', '/query?q=SELECT+Id+FROM+Lead')
    const { page, open, assertQuiet } = await client.logIn()
    await page.waitForTimeout(1500)
    await open('/calls?find=/services/data')
    const grid = page.getByRole('grid', { name: 'Calls' })
    await grid
      .getByRole('gridcell', { name: /v64.0\/query$/ })
      .first()
      .waitFor()
    await page.getByRole('status').getByText('Without the calls of the console.').waitFor()
    // The console's own calls are of the newest version.
    assert.equal(await grid.getByRole('gridcell', { name: /v68.0/ }).count(), 0)
    await page.getByLabel('Calls of the console').click()
    await grid.getByRole('gridcell', { name: /v68.0/ }).first().waitFor()
    assertQuiet()
  })

  test('Home lists the last errors with their request ids', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    const { headers } = await client.o.call('GET', '/query?q=SELECT+Nothing+FROM+Account')
    await page.waitForTimeout(1500)
    await open('/')
    await page.getByRole('heading', { name: 'Last errors' }).waitFor()
    const row = page.getByRole('row', { name: new RegExp(String(headers['x-request-id'])) })
    await row.getByText('INVALID_FIELD').waitFor()
    await row.getByRole('link').click()
    await page.getByRole('region', { name: 'Call', exact: true }).getByText('INVALID_FIELD').waitFor()
    assertQuiet()
  })

  test('limits show what is used, by which app and in which version', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open('/limits')
    await page.getByText('DailyApiRequests').waitFor()
    await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor()
    await page.getByText(/^Without \d+ calls? of the console, which the allocation counts too/).waitFor()
    assert.equal(await page.getByRole('cell', { name: 'Objectry Console' }).count(), 0)
    await page.getByLabel('Calls of the console').click()
    await page.getByRole('cell', { name: 'Objectry Console' }).waitFor()
    assert.match(page.url(), /own=on/)
    await page.getByRole('heading', { name: 'API versions in use' }).waitFor()
    await assertAccessible()
    assertQuiet()
  })
})
