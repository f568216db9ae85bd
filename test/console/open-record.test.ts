import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta']

/** The list of the accounts of a test, in the order of their names. */
const listOf = (site: string) =>
  `/records/Account?${new URLSearchParams({ where: `Site = '${site}'`, sort: 'NumberOfEmployees' })}`
const gridOf = (page: Page) => page.getByRole('grid', { name: 'Accounts', exact: true })
const panelOf = (page: Page) => page.getByRole('region', { name: 'Record', exact: true })
const titleOf = (page: Page, name: string) =>
  panelOf(page).getByRole('heading', { level: 2, name, exact: true })
/** A cell of the row of a record which is no link. */
const cellOf = (page: Page, name: string) =>
  gridOf(page).getByRole('row').filter({ hasText: name }).getByRole('gridcell').filter({ hasText: '+41' })

describe('A record beside its list in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  const create = async (site: string) => {
    const ids: string[] = []
    for (const [at, Name] of NAMES.entries())
      ids.push(
        await client.o.create('Account', { Name, Site: site, NumberOfEmployees: at, Phone: `+41 ${at}` }),
      )
    return ids
  }
  before(async () => {
    client = await openConsoleClient()
  })
  after(() => client?.close())

  test('opens by a click on its row, with its fields by name and the numbers of its related lists', async () => {
    const [, beta] = await create('click')
    await client.o.create('Contact', { LastName: 'Child', AccountId: beta })
    const { page, open, assertAccessible, assertQuiet } = await client.logIn()
    await open(listOf('click'))
    await cellOf(page, 'Beta').click()
    await titleOf(page, 'Beta').waitFor()
    const panel = panelOf(page)
    await panel.getByRole('link', { name: 'Contacts 1', exact: true }).waitFor()
    const fields = panel.getByRole('region', { name: 'Account Information', exact: true })
    await fields.getByText('Account Phone', { exact: true }).waitFor()
    await fields.getByText('+41 1', { exact: true }).waitFor()
    await gridOf(page)
      .getByRole('row')
      .filter({ hasText: 'Beta' })
      .and(page.locator('[aria-current]'))
      .waitFor()
    await assertAccessible()
    await cellOf(page, 'Gamma').click()
    await titleOf(page, 'Gamma').waitFor()
    await panel.getByText('No record refers to this one.', { exact: true }).waitFor()

    // The list is no less usable than before: its links lead to the whole page, as “Open” does.
    await gridOf(page).getByRole('link', { name: 'Delta', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Delta', exact: true }).waitFor()
    await page.goBack()
    await titleOf(page, 'Gamma').waitFor()
    await panel.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Gamma', exact: true }).waitFor()
    assertQuiet()
  })

  test('follows the arrow keys, and Escape leads back to its row', async () => {
    await create('keys')
    const { page, open, assertQuiet } = await client.logIn()
    await open(listOf('keys'))
    await cellOf(page, 'Delta').waitFor()
    await gridOf(page).focus()
    await page.keyboard.press('ArrowDown')
    assert.equal(await panelOf(page).count(), 0)
    await page.keyboard.press('Enter')
    await titleOf(page, 'Beta').waitFor()
    await page.keyboard.press('ArrowDown')
    await titleOf(page, 'Gamma').waitFor()
    // Also when keys come faster than records are read.
    for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
    await titleOf(page, 'Alpha').waitFor()
    await panelOf(page).getByRole('button', { name: 'Next record', exact: true }).focus()
    await page.keyboard.press('Enter')
    await titleOf(page, 'Beta').waitFor()
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'detached' })
    assert.ok(!page.url().includes('record='))
    await page.keyboard.press('Enter')
    await titleOf(page, 'Beta').waitFor()
    assertQuiet()
  })

  test('is in the address: it is there when the page is read again, and a step back closes it', async () => {
    const [alpha, beta] = await create('address')
    const { page, open, assertQuiet } = await client.logIn()
    await open(listOf('address'))
    await cellOf(page, 'Alpha').click()
    await titleOf(page, 'Alpha').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('record'), alpha)
    await page.keyboard.press('ArrowDown')
    await titleOf(page, 'Beta').waitFor()
    await page.reload()
    await titleOf(page, 'Beta').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('record'), beta)
    await page.goBack()
    await panelOf(page).waitFor({ state: 'detached' })
    await cellOf(page, 'Alpha').waitFor()
    assertQuiet()
  })

  test('lies over the list on a narrow screen, with a way back', async () => {
    await create('narrow')
    const { page, open, assertAccessible, assertQuiet } = await client.logIn({
      width: 390,
      colorScheme: 'dark',
    })
    await open(listOf('narrow'))
    await gridOf(page).getByRole('link', { name: 'Alpha', exact: true }).waitFor()
    await gridOf(page).focus()
    await page.keyboard.press('Enter')
    await titleOf(page, 'Alpha').waitFor()
    assert.equal((await panelOf(page).boundingBox())?.width, 390)
    await panelOf(page).getByRole('region', { name: 'Account Information', exact: true }).waitFor()
    await assertAccessible()
    await panelOf(page).getByRole('button', { name: 'Next record', exact: true }).click()
    await titleOf(page, 'Beta').waitFor()
    await panelOf(page).getByRole('button', { name: 'Accounts', exact: true }).click()
    await panelOf(page).waitFor({ state: 'detached' })
    assertQuiet()
  })

  test('says so when it was deleted meanwhile, or is not there for the user', async () => {
    const [alpha] = await create('gone')
    const { page, open, assertQuiet } = await client.logIn()
    await open(listOf('gone'))
    await cellOf(page, 'Alpha').waitFor()
    await client.o.call('DELETE', `/sobjects/Account/${alpha}`)
    await cellOf(page, 'Alpha').click()
    await panelOf(page).getByRole('alert').getByText('This record is not here', { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await titleOf(page, 'Beta').waitFor()
    await open(`${listOf('gone')}&record=001000000000001AAA`)
    await panelOf(page).getByRole('alert').getByText('This record is not here', { exact: true }).waitFor()
    assertQuiet()
  })
})
