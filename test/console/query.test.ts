import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

describe('Query in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const records = Array.from({ length: 200 }, (_, index) => ({
      attributes: { type: 'Account' },
      Name: `Account ${String(index).padStart(4, '0')}`,
      NumberOfEmployees: index,
    }))
    for (let page = 0; page < 11; page++)
      await client.o.call('POST', '/composite/sobjects', {
        body: { records: records.map((one) => ({ ...one, Site: `${page}` })) },
      })
    const parent = await client.o.create('Account', { Name: 'Parent', Phone: '1' })
    await client.o.create('Contact', { LastName: 'King', AccountId: parent })
    await client.o.create('Contact', { LastName: 'Byron', AccountId: parent })
  })
  after(() => client?.close())

  const grid = (page: Page) => page.getByRole('grid', { name: 'Result' })
  async function ask(page: Page, text: string): Promise<void> {
    await page.getByLabel('Query', { exact: true }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
    await page.keyboard.press('Control+Enter')
  }

  /** Types a value into a cell. Which cells can be edited is known when the description of their object has come. */
  async function edit(page: Page, cell: number, value: string): Promise<void> {
    const input = grid(page).getByRole('textbox')
    while (!(await input.isVisible())) await grid(page).getByRole('gridcell').nth(cell).dblclick()
    await input.fill(value)
    await input.press('Enter')
  }

  test('shows rows with parents and children, in the order of the select list', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/query')
    await ask(
      page,
      "SELECT Name, Owner.Name, Id, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account WHERE Name = 'Parent'",
    )
    await grid(page).waitFor()
    const heads = await grid(page).getByRole('columnheader').allInnerTexts()
    assert.deepEqual(heads.slice(1), ['Name', 'Owner.Name', 'Id', 'Contacts'])
    await grid(page).getByRole('button', { name: '▸ 2' }).click()
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Byron').waitFor()
    assertQuiet()
  })

  test('walks pages one by one, then all of them', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    await ask(page, 'SELECT Id, Name FROM Account ORDER BY Name')
    await page.getByText(/^2,000 of 2,201 rows/).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(/^2,201 rows/).waitFor()
  })

  test('saves edits of several rows with one call, and tells what one of them was refused for', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    await ask(page, "SELECT Id, Name, NumberOfEmployees FROM Account WHERE Site = '3' ORDER BY Name LIMIT 2")
    await edit(page, 1, 'Renamed')
    await edit(page, 5, '9999999999')
    await page.getByText('2 changes in 2 records').waitFor()
    let calls = 0
    page.on('request', (request) => {
      if (request.method() === 'PATCH') calls++
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 change in 1 record').waitFor()
    assert.equal(calls, 1)
    assert.match(
      await page.getByRole('region', { name: 'Changes' }).innerText(),
      /NUMBER_OUTSIDE_VALID_RANGE|INVALID/,
    )
    const { body } = await client.o.call('GET', "/query?q=SELECT+COUNT()+FROM+Account+WHERE+Name='Renamed'")
    assert.equal(body.totalSize, 1)
  })

  test('an edit of what somebody else changed meanwhile is not saved before the user knows', async () => {
    const id = await client.o.create('Account', { Name: 'Shared', Phone: '1' })
    const { page, open } = await client.logIn()
    await open('/query')
    await ask(page, "SELECT Id, Phone FROM Account WHERE Name = 'Shared'")
    await edit(page, 1, '2')
    await client.o.call('PATCH', `/sobjects/Account/${id}`, { body: { Phone: '3' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else changed this: Phone is “3” by now.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 record saved.').waitFor()
    assert.equal((await client.o.call('GET', `/sobjects/Account/${id}?fields=Phone`)).body.Phone, '2')
  })

  test('tells what is wrong with a query, with its request id', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    await ask(page, 'SELECT Id, Nothing FROM Account')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    assert.match(await alert.innerText(), /INVALID_FIELD[\s\S]*No such column 'Nothing'[\s\S]*Request id/)
  })

  test('what was typed is there after a reload, and a link opens the same query', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    await page.getByLabel('Query', { exact: true }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('SELECT Id FROM Opportunity WHERE Amount > 1')
    await page.getByRole('button', { name: 'Opportunity', exact: true }).waitFor()
    await page.waitForTimeout(200)
    await page.reload()
    await page.getByText('SELECT Id FROM Opportunity WHERE Amount > 1').waitFor()
    await open(`/query?${new URLSearchParams({ q: 'SELECT Id FROM Case' })}`)
    await page.getByRole('button', { name: 'Case', exact: true, pressed: true }).waitFor()
  })

  test('two windows with the same tabs lose nothing of each other, whatever is typed and closed', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    const write = async (window: Page, text: string) => {
      await window.getByLabel('Query', { exact: true }).focus()
      await window.keyboard.press('Control+a')
      await window.keyboard.insertText(text)
      await window.waitForTimeout(300)
    }
    const tab = (window: Page, name: string) =>
      window.getByRole('group', { name: 'Queries' }).getByRole('button', { name, exact: true })
    await write(page, 'SELECT Id FROM Asset')
    const other = await page.context().newPage()
    await other.goto(`${client.address}/console/query`)
    await tab(other, 'Asset').waitFor()
    await write(page, 'SELECT Id FROM Campaign')
    await write(other, 'SELECT Id FROM Solution')
    await write(other, 'SELECT Id FROM Solution LIMIT 3')
    await other.reload()
    // The window has what was typed in it, and the other one beside.
    await other.getByText('SELECT Id FROM Solution LIMIT 3').waitFor()
    await tab(other, 'Campaign').waitFor()
    // One is written here and closed there.
    await tab(other, 'Campaign').click()
    await write(page, 'SELECT Id FROM Product2')
    await other.getByRole('button', { name: 'Close Campaign' }).click()
    await other.waitForTimeout(300)
    await page.reload()
    await page.getByText('SELECT Id FROM Product2').waitFor()
    await tab(page, 'Solution').click()
    await page.getByText('SELECT Id FROM Solution LIMIT 3').waitFor()
    await page.getByRole('button', { name: 'Close Solution' }).click()
    await page.waitForTimeout(300)
    await page.reload()
    await tab(page, 'Product2').waitFor()
    assert.equal(await tab(page, 'Solution').count(), 0)
  })

  test('a CSV file neutralizes what a spreadsheet would evaluate', async () => {
    await client.o.create('Account', { Name: '=1+1', Site: 'formula' })
    const { page, open } = await client.logIn()
    await open('/query')
    await ask(page, "SELECT Name FROM Account WHERE Site = 'formula'")
    await grid(page).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV, children as JSON' }).click(),
    ])
    assert.equal(readFileSync(await file.path(), 'utf8'), "\ufeffName\r\n'=1+1\r\n")
  })

  test('searches and GraphQL documents share the grid', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open(
      `/query?${new URLSearchParams({ language: 'sosl', q: 'FIND {Parent} IN NAME FIELDS RETURNING Account(Id, Name)' })}`,
    )
    await page.getByRole('button', { name: 'Run' }).click()
    await grid(page).getByText('Parent', { exact: true }).waitFor()
    const q = 'query { uiapi { query { Contact(first: 5) { edges { node { Id LastName { value } } } } } } }'
    await open(`/query?${new URLSearchParams({ language: 'graphql', q })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    await grid(page).getByText('Byron').waitFor()
    assertQuiet()
  })

  test('what an object of a search was not asked for is empty, and NULL is what it has not', async () => {
    await client.o.create('Account', { Name: 'Sought here', Phone: '77' })
    await client.o.create('Contact', { LastName: 'Sought there' })
    const { page, open, assertQuiet } = await client.logIn()
    const q = 'FIND {Sought} IN NAME FIELDS RETURNING Account(Name, Phone), Contact(LastName, Email)'
    await open(`/query?${new URLSearchParams({ language: 'sosl', q })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    await grid(page).getByText('Sought there').waitFor()
    const cells = async (name: RegExp) =>
      (await grid(page).getByRole('row', { name }).getByRole('gridcell').allInnerTexts()).map((one) =>
        one.trim(),
      )
    assert.deepEqual(await cells(/Sought here/), ['Account', 'Sought here', '77', '', ''])
    assert.deepEqual(await cells(/Sought there/), ['Contact', '', '', 'Sought there', 'NULL'])
    assertQuiet()
  })

  test('rows of aggregates, which cannot be edited, are not described', async () => {
    const { page, open } = await client.logIn()
    const described: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/describe')) described.push(request.url())
    })
    await open('/query')
    // The schema beside it describes what the query names.
    await page.getByRole('button', { name: 'Schema', exact: true }).click()
    await ask(page, 'SELECT Site, COUNT(Id) n FROM Account GROUP BY Site ORDER BY Site')
    await grid(page).getByText('200', { exact: true }).first().dblclick()
    await page.getByRole('dialog', { name: 'n' }).getByText('200', { exact: true }).waitFor()
    assert.deepEqual(described, [])
  })

  test('the plan of a query shows how it would be run', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    await ask(page, 'SELECT Id FROM Account')
    await page.getByRole('button', { name: 'Plan' }).click()
    await page.getByText('Account, reads the whole table').waitFor()
    await page.getByRole('heading', { name: 'SQL', exact: true }).waitFor()
  })
})
