import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

describe('the API explorer of the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
  })
  after(() => client?.close())

  test('sends a call and shows status, time, size and headers', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open('/explorer')
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response' })
    await response.getByText('200', { exact: true }).waitFor()
    await response.getByText('Headers').click()
    await response.getByRole('cell', { name: 'x-request-id' }).waitFor()
    await assertAccessible()
    assertQuiet()
  })

  test('a followed link is the call that is sent, also while the database of the browser is slow', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await page.addInitScript(`
      const read = IDBObjectStore.prototype.getAll
      IDBObjectStore.prototype.getAll = function (key) {
        const request = read.call(this, key)
        const slow = {}
        request.onsuccess = () => {
          slow.result = request.result
          setTimeout(() => slow.onsuccess(), 3000)
        }
        return slow
      }
    `)
    await open(`/explorer?${new URLSearchParams({ path: '/services/data/v64.0/query' })}`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Response' }).getByText('400', { exact: true }).waitFor()
    assertQuiet()
  })

  test('a call is saved by a name without its token, opened again, and forgotten', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/explorer')
    await page.getByRole('combobox', { name: 'Address' }).fill('/services/data/v64.0/recent')
    await page.getByText('Headers', { exact: true }).click()
    await page.getByLabel('Headers', { exact: true }).last().fill('Authorization: Bearer secret\nX-Own: 1')
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('menuitem', { name: 'Save this one…' }).click()
    await page.getByLabel('Name').fill('What I saw')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved as What I saw.').waitFor()
    const { body } = await client.o.call('GET', '/preferences')
    assert.deepEqual(body.preferences['call.what-i-saw'], {
      method: 'GET',
      path: '/services/data/v64.0/recent',
      body: '',
      headers: 'X-Own: 1',
      name: 'What I saw',
    })
    await page.getByRole('combobox', { name: 'Address' }).fill('/services/data')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('menuitem', { name: /What I saw/ }).click()
    assert.equal(
      await page.getByRole('combobox', { name: 'Address' }).inputValue(),
      '/services/data/v64.0/recent',
    )
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('button', { name: 'Forget What I saw' }).click()
    await page.getByText('None is saved yet').waitFor()
    assertQuiet()
  })

  test('calls in tabs come back after a reload, and each has its own response', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open('/explorer')
    const tab = (name: string) =>
      page.getByRole('group', { name: 'Calls' }).getByRole('button', { name, exact: true })
    const address = page.getByRole('combobox', { name: 'Address' })
    const response = page.getByRole('region', { name: 'Response' })
    const write = async (path: string) => {
      await address.fill(path)
      await page.keyboard.press('Escape')
    }
    await write('/services/data/v64.0/limits')
    await page.getByRole('button', { name: 'Send' }).click()
    await response.getByText('200', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New tab' }).click()
    await response.getByText('No response yet').waitFor()
    await write('/services/data/v64.0/sobjects/Nothing')
    await tab('GET sobjects/Nothing').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await response.getByText('404', { exact: true }).waitFor()
    await tab('GET limits').click()
    await response.getByText('200', { exact: true }).waitFor()
    await assertAccessible()
    // Drafts are in the browser's own database a moment later.
    await page.waitForTimeout(200)
    await page.reload()
    await tab('GET sobjects/Nothing').click()
    await page.getByRole('button', { name: 'GET sobjects/Nothing', exact: true, pressed: true }).waitFor()
    assert.equal(await address.inputValue(), '/services/data/v64.0/sobjects/Nothing')
    // A link has a tab of its own, and what was typed stays.
    await open(`/explorer?${new URLSearchParams({ path: '/services/data/v64.0/tabs' })}`)
    await page.getByRole('button', { name: 'GET tabs', exact: true, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Close GET tabs' }).click()
    await page.getByRole('button', { name: 'GET sobjects/Nothing', exact: true, pressed: true }).waitFor()
    assertQuiet()
  })

  test('ids in an answer lead to their records, and addresses to their calls', async () => {
    const account = await client.o.create('Account', { Name: 'Linked' })
    await client.o.create('Contact', { LastName: 'King', AccountId: account })
    const { page, open, assertQuiet } = await client.logIn()
    const path = '/services/data/v64.0/query?q=SELECT+AccountId+FROM+Contact'
    await open(`/explorer?${new URLSearchParams({ path })}`)
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('textbox', { name: 'Response' })
    await response.getByRole('link', { name: /\/sobjects\/Contact\// }).click()
    await page.getByRole('button', { name: /^GET sobjects\/Contact\//, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    const id = response.getByRole('link', { name: account })
    await id.waitFor()
    // With the keyboard: found, and opened.
    await response.press('Control+f')
    await page.keyboard.type(account)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Linked' }).waitFor()
    await page.goBack()
    await id.click()
    await page.getByRole('heading', { level: 1, name: 'Linked' }).waitFor()
    assertQuiet()
  })

  test('sends a token that is written into the headers, does not keep it, and stays logged in', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/explorer')
    const response = page.getByRole('region', { name: 'Response' })
    await page.getByText('Headers', { exact: true }).click()
    const headers = page.getByRole('textbox', { name: 'Headers' })
    await headers.fill('authorization: Bearer wrong')
    await page.getByRole('button', { name: 'Send' }).click()
    await response.getByText('401', { exact: true }).waitFor()
    await response.getByText('INVALID_SESSION_ID').waitFor()
    await page.waitForTimeout(200)
    await page.reload()
    await page.getByRole('button', { name: 'Send' }).click()
    await response.getByText('200', { exact: true }).waitFor()
    assert.doesNotMatch(await headers.innerText(), /wrong/)
    assertQuiet()
  })
})
