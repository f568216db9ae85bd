import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

describe('steps of a call in the API explorer', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
  })
  after(() => client?.close())

  const template = async (page: Page, name: RegExp) => {
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const stepsOf = (page: Page) => page.getByRole('region', { name: 'Steps' })
  /** Sends the call, and reads the body that it has. */
  async function sendBody(page: Page) {
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().includes('/composite')),
      page.getByRole('button', { name: 'Send', exact: true }).click(),
    ])
    return request.postDataJSON()
  }

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

  test('the parts of a step are edited in place, and references follow its name', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open('/explorer')
    await template(page, /^Composite/)
    const steps = stepsOf(page)
    await steps.getByRole('button', { name: /^account/ }).click()
    const parts = page.getByRole('group', { name: 'Step account' })
    await parts.getByLabel('Name (referenceId)').fill('company')
    await parts.getByLabel('Name (referenceId)').press('Enter')
    await steps.getByText('uses company').waitFor()
    const body = page.getByRole('textbox', { name: 'Body of the step' })
    await body.fill('{ "Name": "Edited", ')
    await page.getByText('This is not JSON yet: the call still has what was here before.').waitFor()
    await page.getByRole('alert').getByText('The body of the open step is not JSON yet.').waitFor()
    // It is there again, too.
    await page.waitForTimeout(200)
    await page.reload()
    await body.getByText('"Edited"').waitFor()
    assert.ok(await steps.getByRole('button', { name: /^contact/ }).isDisabled())
    await assertAccessible()
    await body.fill('{ "Name": "Edited", "Phone": "1" }')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await steps.getByText('201').nth(1).waitFor()
    const { body: found } = await client.o.call(
      'GET',
      "/query?q=SELECT+Phone,+(SELECT+LastName+FROM+Contacts)+FROM+Account+WHERE+Name='Edited'",
    )
    assert.equal(found.records[0].Phone, '1')
    assert.equal(found.records[0].Contacts.records[0].LastName, 'King')
    await page.getByRole('group', { name: 'Step company' }).getByLabel('Method').click()
    await page.getByRole('option', { name: 'DELETE' }).click()
    await page
      .getByRole('group', { name: 'Step company' })
      .getByLabel('Address')
      .fill('/services/data/v64.0/sobjects/Account/ID')
    assert.deepEqual((await sendBody(page)).compositeRequest[0], {
      method: 'DELETE',
      url: '/services/data/v64.0/sobjects/Account/ID',
      referenceId: 'company',
      body: { Name: 'Edited', Phone: '1' },
    })
    assertQuiet()
  })

  test('steps of graphs and records of trees are edited, added and moved too', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/explorer')
    await template(page, /^Graphs/)
    const steps = stepsOf(page)
    await page.getByRole('button', { name: 'Add a step to first' }).click()
    await steps.getByRole('button', { name: /^step3/ }).waitFor()
    await page.getByRole('button', { name: 'Move up: step3' }).click()
    const graph = (await sendBody(page)).graphs[0].compositeRequest
    assert.deepEqual(
      graph.map(({ referenceId }: { referenceId: string }) => referenceId),
      ['account', 'step3', 'contact'],
    )
    await template(page, /^Tree/)
    await steps.getByRole('button', { name: /^king/ }).click()
    await page.getByRole('textbox', { name: 'Fields of the record' }).fill('{ "LastName": "Byron" }')
    await steps.getByRole('button', { name: /^acme/ }).click()
    await page.getByRole('group', { name: 'Step acme' }).waitFor()
    await page.getByRole('textbox', { name: 'Fields of the record' }).fill('{ "Name": "Grown" }')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('region', { name: 'Response' }).getByText('201', { exact: true }).waitFor()
    const { body } = await client.o.call(
      'GET',
      "/query?q=SELECT+LastName+FROM+Contact+WHERE+Account.Name='Grown'",
    )
    assert.equal(body.records[0].LastName, 'Byron')
    assertQuiet()
  })

  test('a reference that cannot work is told before anything is sent, and is sent where that is wanted', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/explorer')
    await template(page, /^Composite/)
    await page.getByRole('button', { name: 'Move up: contact' }).click()
    await page.getByRole('alert').getByText('account comes later.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled())
    await page.getByRole('button', { name: 'Remove: account' }).click()
    await page.getByRole('alert').getByText('No step is called account.').waitFor()
    await page.getByRole('button', { name: 'Send anyway' }).click()
    const steps = stepsOf(page)
    await steps.getByText('400', { exact: true }).waitFor()
    await page
      .getByRole('region', { name: 'Response' })
      .getByText(/Invalid reference/)
      .waitFor()
    assertQuiet()
  })
})
