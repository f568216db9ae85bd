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
      const read = IDBObjectStore.prototype.get
      IDBObjectStore.prototype.get = function (key) {
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

  test('a composite draws its references, and one that fails inside is red although it is 200', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/explorer')
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByRole('menuitem', { name: /^Composite/ }).click()
    const steps = page.getByRole('region', { name: 'Steps' })
    await steps.getByText('uses account').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await steps.getByText('201').first().waitFor()
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200, 3 of 3 failed').waitFor()
    const { body } = await client.o.call('GET', '/query?q=SELECT+COUNT()+FROM+Contact')
    assert.equal(body.totalSize, 1)
    assertQuiet()
  })

  test('steps that were changed have no statuses of the earlier response, and a collection that failed inside is red', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/explorer')
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByRole('menuitem', { name: /^Composite/ }).click()
    const steps = page.getByRole('region', { name: 'Steps' })
    await page.getByRole('button', { name: 'Send' }).click()
    await steps.getByText('201').nth(1).waitFor()
    await page.getByRole('button', { name: 'Move up: contact' }).click()
    assert.equal(await steps.getByText('201').count(), 0)
    const template = async (name: RegExp) => {
      await page.getByRole('button', { name: 'Templates' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await template(/^Batch/)
    assert.equal(await steps.getByText(/^20\d$/).count(), 0)
    await template(/^Collection/)
    const body = page.getByRole('textbox', { name: 'Body' })
    await body.fill(
      '{"records":[{"attributes":{"type":"Account"},"Name":"Fits"},{"attributes":{"type":"Account"}}]}',
    )
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200, 1 of 2 failed').waitFor()
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await page.getByRole('dialog').getByText('200, failed').waitFor()
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

  test('a reference that cannot work is told before anything is sent', async () => {
    const { page, open } = await client.logIn()
    await open('/explorer')
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByRole('menuitem', { name: /^Composite/ }).click()
    await page.getByRole('button', { name: 'Move up: contact' }).click()
    await page.getByRole('alert').getByText('account comes later.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Send' }).isDisabled())
    await page.getByRole('button', { name: 'Remove: account' }).click()
    await page.getByRole('alert').getByText('No step is called account.').waitFor()
  })
})
