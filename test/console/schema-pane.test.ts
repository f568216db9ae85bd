import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { fetchSteps } from '../support/deploying.ts'

describe('The schema beside a screen of the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    await fetchSteps(client.o, {
      Visit__c: { label: 'Visit', fields: { Reason__c: { type: 'string' } } },
    })
    const id = await client.o.create('Account', { Name: 'Acme', Industry: 'Energy' })
    await client.o.create('Contact', { LastName: 'King', AccountId: id })
  })
  after(() => client?.close())

  const pane = (page: Page) => page.getByRole('complementary', { name: 'Schema' })
  const editor = (page: Page) => page.getByLabel('Query', { exact: true })
  /** The query becomes this text, within ten seconds. */
  async function assertText(page: Page, expected: string): Promise<void> {
    const read = async () => (await editor(page).innerText()).replaceAll('\n', '')
    for (let look = 0; look < 200 && (await read()) !== expected; look++) await page.waitForTimeout(50)
    assert.equal(await read(), expected)
  }

  /** Opens a query of its own. */
  async function begin(text: string) {
    const visit = await client.logIn()
    await visit.open(`/query?${new URLSearchParams({ q: text })}`)
    await editor(visit.page).waitFor()
    return visit
  }

  test('lists the objects, those of the org first, and finds them by name or label', async () => {
    const { page, assertAccessible, assertQuiet } = await begin('SELECT Id FROM ')
    const own = pane(page).getByRole('region', { name: 'Your objects' })
    await own.getByRole('button', { name: 'Visit__c' }).waitFor()
    await pane(page).getByLabel('Find an object').fill('opportunity product')
    await pane(page).getByRole('button', { name: 'OpportunityLineItem' }).waitFor()
    assert.equal(await own.isVisible(), false)
    await assertAccessible()
    assertQuiet()
  })

  test('follows the object that the query names, and inserts fields, values, parents and children', async () => {
    const { page, assertAccessible, assertQuiet } = await begin('SELECT Id FROM Contact')
    const field = (name: string) =>
      pane(page)
        .getByRole('button', { name: new RegExp(`^${name}\\b`) })
        .first()
    await field('LastName').click()
    await assertText(page, 'SELECT Id, LastName FROM Contact')
    // One that is there already is not asked for twice.
    await field('LastName').click()
    await assertText(page, 'SELECT Id, LastName FROM Contact')
    await pane(page).getByRole('button', { name: '→ Account by AccountId' }).click()
    await field('Industry').click()
    await assertText(page, 'SELECT Id, LastName, Account.Industry FROM Contact')
    await editor(page).press('Control+End')
    await page.keyboard.insertText(' WHERE Account.Industry = ')
    await pane(page)
      .getByRole('button', { name: /values of Industry/ })
      .click()
    await pane(page).getByRole('button', { name: 'Energy', exact: true }).click()
    const asked = "SELECT Id, LastName, Account.Industry FROM Contact WHERE Account.Industry = 'Energy'"
    await assertText(page, asked)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('grid', { name: 'Result' }).getByText('King').waitFor()
    await pane(page).getByRole('button', { name: 'All objects' }).click()
    await assertAccessible()
    assertQuiet()
  })

  test('inserts a query of a related list, wherever the cursor is', async () => {
    const { page } = await begin('SELECT Name FROM Account')
    await pane(page).getByLabel('Find a field of Account').fill('contacts')
    await pane(page)
      .getByRole('region', { name: 'Related lists' })
      .getByRole('button', { name: /^Contacts/ })
      .click()
    await assertText(page, 'SELECT Name, (SELECT Id FROM Contacts) FROM Account')
  })

  test('works by the keyboard alone', async () => {
    const { page } = await begin('SELECT Id FROM ')
    await pane(page).getByLabel('Find an object').fill('visit')
    await page.keyboard.press('Enter')
    await pane(page).getByLabel('Find a field of Visit__c').fill('reason')
    await page.keyboard.press('Enter')
    await assertText(page, 'SELECT Id, Reason__c FROM ')
    await pane(page).getByLabel('Find a field of Visit__c').fill('')
    await pane(page)
      .getByRole('button', { name: /^IsDeleted/ })
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await assertText(page, 'SELECT Id, Reason__c, IsDeleted FROM ')
  })

  test('shows one more column in a list of records', async () => {
    const { page, open, assertAccessible } = await client.logIn()
    await open('/records/Account')
    await page.getByRole('columnheader', { name: 'Account Name' }).waitFor()
    await pane(page).getByLabel('Find a field of Account').fill('numberof')
    await pane(page)
      .getByRole('button', { name: /^NumberOfEmployees/ })
      .click()
    await page.getByRole('columnheader', { name: 'Employees' }).waitFor()
    await assertAccessible()
  })

  test('leads the explorer to an object, and its body gets names', async () => {
    const { page, open } = await client.logIn()
    await open('/explorer')
    await pane(page).getByLabel('Find an object').fill('account')
    await pane(page).getByRole('button', { name: 'Account', exact: true }).click()
    await pane(page).getByRole('button', { name: 'Insert Account' }).click()
    const address = page.getByRole('combobox', { name: 'Address' })
    assert.match(await address.inputValue(), /\/sobjects\/Account$/)
    await page.getByRole('combobox', { name: 'Method' }).click()
    await page.getByRole('option', { name: 'POST' }).click()
    await page.getByRole('textbox', { name: 'Body' }).click()
    await page.keyboard.insertText('{')
    await pane(page)
      .getByRole('button', { name: /^Industry/ })
      .click()
    assert.match(await page.getByRole('textbox', { name: 'Body' }).innerText(), /^\{"Industry": /)
  })

  test('is hidden as it was left, and lies over the screen where there is no room beside it', async () => {
    const { page } = await begin('SELECT Id FROM Contact')
    await pane(page).waitFor()
    await page.getByRole('button', { name: 'Schema', exact: true }).click()
    await pane(page).waitFor({ state: 'hidden' })
    await page.reload()
    await editor(page).waitFor()
    assert.equal(await pane(page).isVisible(), false)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Schema', exact: true }).click()
    const over = page.getByRole('dialog', { name: 'Schema' })
    await over.getByRole('button', { name: /^LastName/ }).click()
    await page.keyboard.press('Escape')
    await over.waitFor({ state: 'hidden' })
    await assertText(page, 'SELECT Id, LastName FROM Contact')
  })
})
