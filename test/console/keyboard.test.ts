import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

/* Whole tasks with nothing but keys: no click, no focus by script. */

/** Presses Tab until an element has the focus, which has to be seen there. */
async function tabTo(
  page: Page,
  name: string | RegExp,
  role: 'button' | 'grid' | 'textbox' | 'tab',
): Promise<void> {
  const focused = page.getByRole(role, { name, exact: true }).and(page.locator(':focus')).first()
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused.count()) === 0) continue
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outline')
    // An editor and an input show their focus by a border or a cursor.
    if (role === 'button' || role === 'grid') assert.doesNotMatch(outline, /none|\b0px/, String(name))
    return
  }
  assert.fail(`Tab does not reach ${name}`)
}

/** The editor of the query, while it has the focus. */
const inEditor = (page: Page) => page.getByLabel('Query', { exact: true }).and(page.locator(':focus'))

describe('the console by the keyboard alone', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
  })
  after(() => client?.close())

  test('a query is run, a record of its result opened, edited and saved', async () => {
    const id = await client.o.create('Account', { Name: 'By keys' })
    const { page, open, assertQuiet } = await client.logIn()
    await open('/')
    await page.keyboard.press('Alt+q')
    await page.waitForURL(/\/query/)
    // The editor has the focus.
    await inEditor(page).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText("SELECT Id, Name FROM Account WHERE Name = 'By keys'")
    await page.keyboard.press('Control+Enter')
    await page.getByRole('grid', { name: 'Result' }).waitFor()
    await page.keyboard.press('Escape')
    await tabTo(page, 'Result', 'grid')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/records/Account/${id}`))
    await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor()
    await tabTo(page, 'Edit', 'button')
    await page.keyboard.press('Enter')
    await tabTo(page, /^Account Name/, 'textbox')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Saved by keys')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Saved by keys' }).waitFor()
    assertQuiet()
  })

  test('a cell of a result is edited and saved', async () => {
    const id = await client.o.create('Account', { Name: 'Cell' })
    const { page, open } = await client.logIn()
    await open('/query')
    await inEditor(page).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(
      "SELECT Name FROM Account WHERE Name = 'Cell'".replace('SELECT', 'SELECT Id,'),
    )
    await page.keyboard.press('Control+Enter')
    await page.getByRole('grid', { name: 'Result' }).waitFor()
    await page.keyboard.press('Escape')
    await tabTo(page, 'Result', 'grid')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Changed cell')
    await page.keyboard.press('Enter')
    await page.getByText('1 change in 1 record').waitFor()
    await tabTo(page, 'Save', 'button')
    await page.keyboard.press('Enter')
    await page.getByText('1 record saved.').waitFor()
    assert.equal(
      (await client.o.call('GET', `/sobjects/Account/${id}?fields=Name`)).body.Name,
      'Changed cell',
    )
  })

  test('a call is sent from the API explorer', async () => {
    const { page, open } = await client.logIn()
    await open('/')
    await page.keyboard.press('Alt+e')
    await page.waitForURL(/\/explorer/)
    await tabTo(page, 'Send', 'button')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Response' }).getByText('200', { exact: true }).waitFor()
  })

  test('Escape closes what is on top, and the focus is where it was', async () => {
    const { page, open } = await client.logIn()
    await open('/query')
    await inEditor(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('acc')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await inEditor(page).waitFor()
    await page.keyboard.press('Escape')
    await tabTo(page, 'History', 'button')
    await page.keyboard.press('Enter')
    const history = page.getByRole('dialog', { name: 'History', exact: true })
    // It takes the focus a moment after it is there; no hand is faster.
    await history.and(page.locator(':focus-within')).waitFor()
    await page.keyboard.press('Escape')
    await history.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'History', exact: true }).and(page.locator(':focus')).waitFor()
  })
})
