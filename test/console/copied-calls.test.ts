import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

interface Call {
  readonly method?: string
  readonly path: string
  readonly body?: string
}

describe('calls that are copied for other clients', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  let page: Page
  before(async () => {
    client = await openConsoleClient()
    page = (await client.logIn()).page
  })
  after(() => client?.close())

  /** Returns the contents of the clipboard after a copy. */
  async function copy(
    name: RegExp | string,
    { method = 'GET', path, body }: Call,
    headers = '',
  ): Promise<string> {
    const search = new URLSearchParams({ method, path, ...(body !== undefined && { body }) })
    await page.goto(`${client.address}/console/explorer?${search}`)
    await page.getByRole('combobox', { name: 'Address' }).waitFor()
    if (headers !== '') {
      await page.getByText('Headers', { exact: true }).click()
      await page.getByRole('textbox', { name: 'Headers' }).fill(headers)
    }
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    return page.evaluate('navigator.clipboard.readText()')
  }

  /** Runs a script for jsforce as it was copied. */
  async function run(script: string, token = client.o.token): Promise<string> {
    const { host, port } = new URL(client.address)
    // Names below localhost are known to browsers only.
    const reached = script.replaceAll(host, `127.0.0.1:${port}`)
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', reached], {
      env: { ...process.env, TOKEN: token },
    })
    return stdout
  }

  test('jsforce has its own methods, with the objects of the body', async () => {
    const created = await copy('jsforce', {
      method: 'POST',
      path: '/services/data/v64.0/sobjects/Account',
      body: '{"Name": "O\'Neill \\"& Sons\\"", "NumberOfEmployees": 3}',
    })
    assert.match(
      created,
      /conn\.sobject\('Account'\)\.create\(\{ Name: 'O\\'Neill "& Sons"', NumberOfEmployees: 3 \}\)/,
    )
    assert.match(created, /version: '64\.0'/)
    const id = /id: '(\w{18})'/.exec(await run(created))![1]!
    const path = `/services/data/v64.0/sobjects/Account/${id}`
    assert.match(await run(await copy('jsforce', { path })), /Name: `?['"`]?O'Neill "& Sons"/)
    const q = `SELECT NumberOfEmployees FROM Account WHERE Id = '${id}'`
    const queried = await copy('jsforce', {
      path: `/services/data/v64.0/query?${new URLSearchParams({ q })}`,
    })
    assert.match(queried, /await conn\.query\('SELECT/)
    assert.match(await run(queried), /NumberOfEmployees: 3/)
    await run(await copy('jsforce', { method: 'PATCH', path, body: '{"NumberOfEmployees": 4}' }))
    assert.equal((await client.o.call('GET', `/sobjects/Account/${id}`)).body.NumberOfEmployees, 4)
    await run(await copy('jsforce', { method: 'DELETE', path }))
    assert.equal((await client.o.call('GET', `/sobjects/Account/${id}`)).status, 404)
  })

  test('calls that jsforce has no method for are requests with objects, and headers of their own', async () => {
    const composite = await copy('jsforce', {
      method: 'POST',
      path: '/services/data/v64.0/composite',
      body: JSON.stringify({
        allOrNone: true,
        compositeRequest: [
          {
            method: 'POST',
            url: '/services/data/v64.0/sobjects/Account',
            referenceId: 'acme',
            body: { Name: 'By jsforce' },
          },
        ],
      }),
    })
    assert.match(composite, /await conn\.requestPost\('[^']*composite', \{\n {2}allOrNone: true,/)
    assert.match(await run(composite), /httpStatusCode: 201/)
    const paged = await copy(
      'jsforce',
      { path: '/services/data/v64.0/query?q=SELECT+Id+FROM+Account' },
      'Svc-Query-Options: batchSize=200',
    )
    assert.match(paged, /headers: \{ 'Svc-Query-Options': 'batchSize=200' \}/)
    assert.match(await run(paged), /totalSize: 1/)
    // Its paths are below the version, but for those that begin with /services.
    assert.match(await run(await copy('jsforce', { path: '/setup/orgs/current' })), /id: '/)
    // Digits that a number would lose stay.
    const exact = await copy('jsforce', {
      method: 'POST',
      path: '/services/data/v64.0/sobjects/Account',
      body: '{"Name": "Exact", "AnnualRevenue": 1.10}',
    })
    assert.match(exact, /body: '\{"Name": "Exact", "AnnualRevenue": 1\.10\}'/)
  })

  test('Python has the methods of simple-salesforce, with dictionaries', async () => {
    const created = await copy(/^Python/, {
      method: 'POST',
      path: '/services/data/v64.0/sobjects/Account',
      body: '{"Name": "Acme", "IsPartner": true, "Site": null}',
    })
    assert.match(
      created,
      /print\(sf\.Account\.create\(\{"Name": "Acme", "IsPartner": True, "Site": None\}\)\)/,
    )
    assert.match(created, /version="64\.0"/)
    // The client would write https.
    assert.match(created, /session=PlainHttp\(\)/)
    const queried = await copy(/^Python/, { path: '/services/data/v64.0/query?q=SELECT+Id+FROM+Account' })
    assert.match(queried, /print\(sf\.query\("SELECT Id FROM Account"\)\["records"\]\)/)
    const limits = await copy(/^Python/, { path: '/services/data/v64.0/limits' })
    assert.match(limits, /print\(sf\.restful\("limits"\)\)/)
  })

  test('the token is a variable in copies, and is shown where it is wanted', async () => {
    const script = await copy('jsforce', { path: '/services/data/v64.0/limits' })
    assert.match(script, /process\.env\.TOKEN/)
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Show the token…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Token of this session' })
    await dialog.getByText('Calls with this token do whatever admin@objectry.test may.').waitFor()
    await dialog.getByText("export TOKEN='••••").waitFor()
    await dialog.getByRole('button', { name: 'Show' }).click()
    const shown = /export TOKEN='([^'•]+)'/.exec(await dialog.innerText())![1]!
    await dialog.getByRole('button', { name: 'Copy the command' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `export TOKEN='${shown}'`)
    assert.match(await run(script, shown), /DailyApiRequests/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.doesNotMatch(await page.content(), new RegExp(shown.slice(-20)))
  })
})
