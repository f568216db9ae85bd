import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

describe('Related lists in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
  })
  after(() => client?.close())

  test('related lists tell how many there are, by one call, and show records by name when they are opened', async () => {
    const deployed = await deploy(client.o, {
      Visit__c: {
        label: 'Visit',
        labelPlural: 'Visits',
        fields: {
          // Nobody gave the way down a name.
          Visited__c: { type: 'reference', to: ['Account'] },
          Reason__c: { type: 'string', length: 80 },
        },
      },
    })
    assert.equal(deployed.status, 200, deployed.text)
    const id = await client.o.create('Account', { Name: 'With children' })
    for (const LastName of ['First child', 'Second child'])
      await client.o.create('Contact', { LastName, AccountId: id, Title: 'Engineer' })
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open(`/records/Account/${id}`)
    await page.getByRole('heading', { level: 1, name: 'With children' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/services/data/')) asked.push(request.url().replace(/^.*v\d+\.\d/, ''))
    })
    await page.getByRole('tab', { name: 'Related', exact: true }).click()
    const contacts = page.getByRole('button', { name: 'Contacts 2', exact: true })
    await contacts.waitFor()
    assert.deepEqual(asked, ['/composite/batch'])
    // Lists of the org's own objects are the first, and stay where they are empty.
    const lists = page.getByRole('tabpanel').getByRole('button', { expanded: false })
    assert.deepEqual(await lists.allInnerTexts(), ['Visits\n0', 'Contacts\n2'])
    await assertAccessible()
    await page.getByRole('link', { name: 'New Visit', exact: true }).waitFor()
    await contacts.click()
    const head = page.getByRole('columnheader')
    await head.first().waitFor()
    assert.deepEqual(await head.allInnerTexts(), ['Full Name', 'Title', 'Email', 'Business Phone'])
    await page.getByRole('row', { name: /^First child Engineer/ }).waitFor()
    await assertAccessible()

    await page.getByRole('button', { name: /^Show empty/ }).click()
    await page.getByRole('button', { name: 'Cases 0', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Cases 0', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Hide empty', exact: true }).click()
    await page.getByRole('button', { name: 'Cases 0', exact: true }).waitFor({ state: 'detached' })
    await contacts.click()
    await page.getByRole('link', { name: 'Second child', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Second child' }).waitFor()
    assertQuiet()
  })

  test('a related list of many leads to the list of all of them', async () => {
    const id = await client.o.create('Account', { Name: 'With many' })
    for (let at = 1; at <= 6; at++)
      await client.o.create('Contact', { LastName: `Many ${at}`, AccountId: id })
    const { page, open, assertQuiet, assertAccessible } = await client.logIn({ colorScheme: 'dark' })
    await open(`/records/Account/${id}?tab=related`)
    await page.getByRole('button', { name: 'Contacts 6', exact: true }).click()
    const all = page.getByRole('link', { name: 'All 6', exact: true })
    await all.waitFor()
    await assertAccessible()
    await all.click()
    await page.getByText('6 records, read at').waitFor()
    await page.getByRole('button', { name: 'Account ID is With many', exact: true }).waitFor()
    await page.getByRole('gridcell', { name: 'Many 1', exact: true }).waitFor()
    assertQuiet()
  })

  test('a record begun in a related list refers to the record of the page, and is counted there', async () => {
    const id = await client.o.create('Account', { Name: 'To be referred to' })
    await client.o.create('Contact', { LastName: 'There before', AccountId: id })
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Account/${id}?tab=related`)
    const asked: string[] = []
    await page.getByRole('button', { name: 'Contacts 1', exact: true }).waitFor()
    page.on('request', (request) => {
      if (request.url().includes('/services/data/')) asked.push(request.url())
    })
    await page.getByRole('link', { name: 'New Contact', exact: true }).click()
    const parent = page.getByRole('combobox', { name: 'Account ID', exact: true })
    await parent.waitFor()
    assert.equal(await parent.inputValue(), 'To be referred to')
    assert.ok(asked.length <= 2, asked.join('\n'))
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('link', { name: 'New Contact', exact: true }).click()
    await page.getByLabel('Last Name').fill('Begun there')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'To be referred to', exact: true }).click()
    await page.getByRole('tab', { name: 'Related', exact: true }).click()
    await page.getByRole('button', { name: 'Contacts 2', exact: true }).waitFor()
    assertQuiet()
  })
})
