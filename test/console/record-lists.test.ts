import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

const COMPANIES = [
  { Name: "O'Neil 100%", Industry: 'Energy', NumberOfEmployees: 5, Site: 'lists' },
  { Name: 'Volta', Industry: 'Energy', NumberOfEmployees: 50, Site: 'lists' },
  { Name: 'Bank', Industry: 'Banking', NumberOfEmployees: 500, Site: 'lists' },
  { Name: 'Unknown', Site: 'lists' },
]

const focused = (page: Page, one: Locator) => one.and(page.locator(':focus')).waitFor()

/** Chooses a field by what is typed, and by Enter at once, whether or not the list is drawn. */
async function fillField(page: Page, form: Locator, field: string) {
  await form.getByRole('combobox', { name: 'Field', exact: true }).fill(field)
  await page.keyboard.press('Enter')
}

/** Opens the editor of filters, or that of a pill, and fills it in. */
async function addFilter(page: Page, field: string, operator: string | undefined, value?: string) {
  await page.getByRole('button', { name: 'Add filter', exact: true }).click()
  const form = page.getByRole('form', { name: 'Filter', exact: true })
  await fillField(page, form, field)
  if (operator !== undefined) {
    await form.getByRole('combobox', { name: 'Operator', exact: true }).click()
    await form.getByRole('option', { name: operator, exact: true }).click()
  }
  if (value !== undefined) await form.getByLabel('Value', { exact: true }).fill(value)
  await form.getByRole('button', { name: 'Apply', exact: true }).click()
  await form.waitFor({ state: 'detached' })
}

/** Waits until the list shows these names, in this order. */
async function expectNames(page: Page, names: readonly string[]) {
  const read = async () => page.getByRole('gridcell').getByRole('link').allInnerTexts()
  const end = Date.now() + 45_000
  while (Date.now() < end) {
    if (JSON.stringify(await read()) === JSON.stringify(names)) return
    await page.waitForTimeout(50)
  }
  assert.deepEqual(await read(), names)
}

describe('Lists of records in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const deployed = await deploy(client.o, {
      Trip__c: {
        fields: {
          Day__c: { type: 'date' },
          Start__c: { type: 'datetime' },
          Paid__c: { type: 'boolean' },
          Tags__c: { type: 'multipicklist', values: ['Sea', 'City', 'Hills'] },
          Guest__c: { type: 'reference', to: 'Account' },
          Settings__c: { type: 'json' },
        },
      },
    })
    assert.equal(deployed.status, 200, deployed.text)
    for (const company of COMPANIES) await client.o.create('Account', company)
    const guest = await client.o.create('Account', { Name: 'Guest of honour' })
    await client.o.create('Trip__c', {
      Name: 'North',
      Day__c: '2026-03-01',
      Start__c: '2026-03-01T10:00:00Z',
      Paid__c: true,
      Tags__c: 'Sea;Hills',
      Guest__c: guest,
    })
    await client.o.create('Trip__c', {
      Name: 'South',
      Day__c: '2026-06-01',
      Start__c: '2026-06-01T10:00:00Z',
      Tags__c: 'City',
    })
  })
  after(() => client?.close())

  const where = new URLSearchParams({ where: "Site = 'lists'" })
  const pill = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Filters', exact: true }).getByRole('button', { name, exact: true })

  test('filters narrow a list, and are in its address: a link, a reload and Back have them', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open(`/records/Account?${where}`)
    await addFilter(page, 'Employees', 'is at least', '50')
    await pill(page, 'Employees is at least 50').waitFor()
    await expectNames(page, ['Bank', 'Volta'])
    await page.getByRole('button', { name: 'Add filter', exact: true }).click()
    const form = page.getByRole('form', { name: 'Filter', exact: true })
    await fillField(page, form, 'Industry')
    await form.getByRole('combobox', { name: 'Values', exact: true }).click()
    await form.getByRole('option', { name: 'Energy', exact: true }).click()
    // The list of values closes, the editor stays.
    await page.keyboard.press('Escape')
    await assertAccessible()
    await form.getByRole('button', { name: 'Apply', exact: true }).click()
    await expectNames(page, ['Volta'])
    await assertAccessible()
    const link = page.url()
    assert.equal(
      new URL(link).searchParams.get('filter'),
      '[["NumberOfEmployees","least","50"],["Industry","in","Energy"]]',
    )
    await page.reload()
    await expectNames(page, ['Volta'])
    await page.getByRole('link', { name: 'Volta', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Volta', exact: true }).waitFor()
    await page.goBack()
    await pill(page, 'Industry is one of Energy').waitFor()
    await expectNames(page, ['Volta'])
    await page.getByRole('button', { name: 'Remove filter: Industry is one of Energy', exact: true }).click()
    await expectNames(page, ['Bank', 'Volta'])
    await page.goBack()
    await expectNames(page, ['Volta'])
    assertQuiet()
  })

  test('a filter is added, changed and removed by keyboard alone', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Account?${where}`)
    const add = page.getByRole('button', { name: 'Add filter', exact: true })
    await add.focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('form', { name: 'Filter', exact: true })
    await form.waitFor()
    await focused(page, form.getByRole('combobox', { name: 'Field', exact: true }))
    await page.keyboard.type('NumberOfEmp')
    await page.keyboard.press('Enter')
    await form.getByLabel('Value', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    await expectNames(page, ["O'Neil 100%"])
    await focused(page, add)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await form.waitFor()
    await focused(page, form.getByRole('combobox', { name: 'Operator', exact: true }))
    await page.keyboard.press('Tab')
    await page.keyboard.type('0')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    await pill(page, 'Employees is 50').waitFor()
    await expectNames(page, ['Volta'])
    await page.keyboard.press('Delete')
    await expectNames(page, ['Bank', "O'Neil 100%", 'Unknown', 'Volta'])
    await focused(page, add)
    assert.equal(new URL(page.url()).searchParams.get('filter'), null)
    assertQuiet()
  })

  test('every kind of field is filtered by operators and values of its own', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    const all: readonly [readonly string[], string, readonly string[]][] = [
      [['Day__c', 'before', '2026-04-01'], 'Day is before 2026-04-01', ['North']],
      [['Start__c', 'from', '2026-06-01T10:00:00Z'], 'Start is on or after 2026-06-01 10:00 UTC', ['South']],
      [['CreatedDate', 'within', 'TODAY'], 'Created Date is within today', ['North', 'South']],
      [['Paid__c', 'is', 'true'], 'Paid is true', ['North']],
      [['Tags__c', 'includes', 'Hills', 'City'], 'Tags includes any of Hills, City', ['North', 'South']],
      [['Tags__c', 'excludes', 'Sea'], 'Tags includes none of Sea', ['South']],
      [['Guest__c', 'empty'], 'Guest is empty', ['South']],
      [['Guest__c', 'full'], 'Guest is not empty', ['North']],
      [['Name', 'starts', 'Nor'], 'Trip Name starts with Nor', ['North']],
      [['Name', 'contains', 'th'], 'Trip Name contains th', ['North', 'South']],
      [['Name', 'not', 'North'], 'Trip Name is not North', ['South']],
    ]
    await open('/records/Trip__c')
    for (const [filter, label, found] of all) {
      const address = `/console/records/Trip__c?${new URLSearchParams({ filter: JSON.stringify([filter]) })}`
      // As a link within the console: the page is not loaded again.
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`)
      await pill(page, label).waitFor()
      await expectNames(page, found)
    }
    await open('/records/Trip__c')
    await addFilter(page, 'Day__c', 'is after', '2026-04-01')
    await expectNames(page, ['South'])
    await open('/records/Trip__c')
    await addFilter(page, 'Paid__c', undefined)
    await expectNames(page, ['North'])
    await open('/records/Trip__c')
    await page.getByRole('button', { name: 'Add filter', exact: true }).click()
    const form = page.getByRole('form', { name: 'Filter', exact: true })
    await fillField(page, form, 'Guest')
    await form.getByRole('combobox', { name: 'Value', exact: true }).fill('honour')
    await form.getByRole('option', { name: 'Guest of honour', exact: true }).click()
    await form.getByRole('button', { name: 'Apply', exact: true }).click()
    await pill(page, 'Guest is Guest of honour').waitFor()
    await expectNames(page, ['North'])
    assertQuiet()
  })

  test('quotes and wildcards in a filter are what they are', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Account?${where}`)
    await addFilter(page, 'Account Name', 'contains', "'Neil 100%")
    await expectNames(page, ["O'Neil 100%"])
    await open(`/records/Account?${where}`)
    await addFilter(page, 'Account Name', 'contains', '%')
    await expectNames(page, ["O'Neil 100%"])
    await open(`/records/Account?${where}`)
    await addFilter(page, 'Account Name', 'is', "x') OR (Name != 'y")
    await page.getByText('None meets the conditions.').waitFor()
    assertQuiet()
  })

  test('a refused query shows its cause in the place of rows, and its filters can be changed', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    const filter = JSON.stringify([['Removed__c', 'is', 'x']])
    await open(`/records/Account?${where}&${new URLSearchParams({ filter })}`)
    await page.getByRole('alert').getByText('INVALID_FIELD').waitFor()
    await pill(page, 'Removed__c is x').click()
    const form = page.getByRole('form', { name: 'Filter', exact: true })
    await form.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Apply', exact: true }).click()
    await form.getByText('Choose a field.').waitFor()
    await fillField(page, form, 'Employees')
    await form.getByLabel('Value', { exact: true }).fill('many')
    await form.getByRole('button', { name: 'Apply', exact: true }).click()
    await form.getByText('This is not a number.').waitFor()
    await form.getByLabel('Value', { exact: true }).fill('500')
    await form.getByRole('button', { name: 'Apply', exact: true }).click()
    await expectNames(page, ['Bank'])
    await open(`/records/Account?${where}&sort=Removed__c`)
    await page.getByRole('alert').getByText('INVALID_FIELD').waitFor()
    await page.getByRole('button', { name: 'Remove sort', exact: true }).click()
    await expectNames(page, ['Bank', "O'Neil 100%", 'Unknown', 'Volta'])
    assertQuiet()
  })

  test('a head sorts all records of the object, in the address too, and one that cannot be sorted does not', async () => {
    for (let at = 0; at < 3; at += 1) {
      const records = Array.from({ length: 200 }, (_, index) => ({
        attributes: { type: 'Trip__c' },
        Name: `Many ${String(at * 200 + index).padStart(4, '0')}`,
        Paid__c: true,
        Settings__c: { at: index },
      }))
      await client.o.call('POST', '/composite/sobjects', { body: { records } })
    }
    const { page, open, assertQuiet } = await client.logIn()
    const kept = await client.o.call('PUT', '/preferences/columns.trip-c', {
      body: { fields: ['Name', 'Paid__c', 'Settings__c'] },
    })
    assert.ok(kept.status < 300, kept.text)
    await open(`/records/Trip__c?${new URLSearchParams({ name: 'Many' })}`)
    const head = page.getByRole('columnheader', { name: 'Trip Name', exact: true })
    const first = page.getByRole('gridcell').getByRole('link').first()
    const expectFirst = (name: string) => first.and(page.getByRole('link', { name, exact: true })).waitFor()
    await expectFirst('Many 0000')
    const grid = page.getByRole('grid')
    await grid.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=Name/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=-Name/)
    await expectFirst('Many 0599')
    assert.equal(await head.getAttribute('aria-sort'), 'descending')
    // The grid kept the focus and its active cell.
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.search.includes('sort'))
    await expectFirst('Many 0000')
    const settings = page.getByRole('columnheader', { name: 'Settings', exact: true })
    assert.equal(await settings.getAttribute('aria-sort'), null)
    await settings.locator('span').first().click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForTimeout(300)
    assert.equal(new URL(page.url()).searchParams.get('sort'), null)
    await head.locator('span').first().click()
    await page.waitForURL(/sort=Name/)
    await page.reload()
    await page.getByText('Sorted by Trip Name, ascending', { exact: true }).waitFor()
    assertQuiet()
  })

  test('a list shows its query, to be copied and opened in the query screen', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    const filter = JSON.stringify([['Industry', 'in', 'Energy']])
    await open(`/records/Account?${where}&${new URLSearchParams({ filter, sort: '-Name' })}`)
    await page.getByRole('button', { name: 'SOQL', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'SOQL', exact: true })
    const shown = await dialog.getByRole('group', { name: 'Query of this list', exact: true }).innerText()
    assert.match(
      shown,
      /FROM Account WHERE \(Industry IN \('Energy'\)\) AND \(Site = 'lists'\) ORDER BY Name DESC NULLS LAST$/,
    )
    await assertAccessible()
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), shown)
    await dialog.getByRole('link', { name: 'Open in query', exact: true }).click()
    await page.waitForURL(/\/console\/query/)
    await page.getByText("'Energy'").first().waitFor()
    assertQuiet()
  })

  test('what was typed follows the address back', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Account?${where}`)
    await addFilter(page, 'Employees', 'is at least', '50')
    await expectNames(page, ['Bank', 'Volta'])
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Vol')
    await expectNames(page, ['Volta'])
    await page.goBack()
    await expectNames(page, ['Bank', "O'Neil 100%", 'Unknown', 'Volta'])
    assert.equal(await name.inputValue(), '')
    assertQuiet()
  })
})
