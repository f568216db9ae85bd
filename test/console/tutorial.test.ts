import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED, takePicture } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

/*
 * docs/tutorials/console.md, step by step. With OBJECTRY_PICTURES=docs/images its pictures are taken again:
 *
 *   OBJECTRY_PICTURES=docs/images node scripts/test.ts test/console/tutorial.test.ts
 */
const FOLDER = process.env.OBJECTRY_PICTURES

/** The most bytes of a picture of the docs. */
const MAX_PICTURE = 150_000

describe('the tutorial of the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    await client.o.call('PATCH', `/sobjects/Organization/${client.o.org.id}`, {
      body: { Name: 'Acme Trading' },
    })
  })
  after(() => client?.close())

  async function picture(page: Page, name: string): Promise<void> {
    if (FOLDER === undefined) return
    // Messages of what was done before have gone.
    await page.locator('.mantine-Notification-root').first().waitFor({ state: 'detached' })
    await page.waitForTimeout(300)
    const png = await takePicture(page)
    assert.ok(png.length < MAX_PICTURE, `${name}: ${png.length} bytes`)
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(join(FOLDER, `console-${name}.png`), png)
  }

  test('leads from the log-in to the call log as it is written', async () => {
    const { page, assertQuiet } = await client.logIn()
    await page.setViewportSize({ width: 1200, height: 680 })
    const go = (screen: string) =>
      page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }).click()

    // Make a record.
    await go('Records')
    await page.getByRole('link', { name: 'Accounts' }).first().click()
    await page.getByRole('link', { name: 'New' }).click()
    await page.getByLabel('Account Name').fill('Northwind')
    await page.getByLabel('Employees').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Northwind' }).waitFor()
    await page.getByRole('tab', { name: 'All fields' }).click()
    await page.getByText('NumberOfEmployees').first().waitFor()
    await picture(page, 'record')

    // Write two with one call.
    await go('API explorer')
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByRole('menuitem', { name: /^Composite/ }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Steps' }).getByText('201').nth(1).waitFor()
    await picture(page, 'explorer')

    // Ask.
    await go('Query')
    await page.getByLabel('Query', { exact: true }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('SELECT Id, Name, ')
    await page.keyboard.insertText(' FROM Account')
    for (let letter = 0; letter < ' FROM Account'.length; letter++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('Emplo')
    await page.getByRole('listbox', { name: 'Completions' }).waitFor()
    await picture(page, 'completion')
    await page.keyboard.press('Tab')
    await page.keyboard.insertText(', (SELECT LastName FROM Contacts)')
    await page.keyboard.press('Control+Enter')
    const grid = page.getByRole('grid', { name: 'Result' })
    await grid.getByRole('button', { name: '▸ 1' }).click()
    await page.getByRole('grid', { name: 'Contacts' }).getByText('King').waitFor()
    // The mark of the word that was completed goes with the next check.
    await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' })
    await picture(page, 'query')

    // Change a cell.
    await grid.getByRole('gridcell', { name: '12', exact: true }).dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('14')
    await page.keyboard.press('Enter')
    await page.getByText('1 change in 1 record').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 record saved.').waitFor()

    // See what it took.
    await go('Call log')
    await page.getByLabel('Calls of the console').click()
    await page
      .getByRole('grid', { name: 'Calls' })
      .getByRole('gridcell', { name: 'PATCH' })
      .first()
      .dblclick()
    await page.getByRole('heading', { name: 'Statements' }).waitFor()
    await picture(page, 'call')
    assertQuiet()
  })
})
