import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'

describe('the editor of queries in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  let page: Page
  let assertQuiet: () => void
  before(async () => {
    client = await openConsoleClient()
    const logged = await client.logIn()
    page = logged.page
    page.setDefaultTimeout(15_000)
    assertQuiet = logged.assertQuiet
    await logged.open('/query')
  })
  after(() => client?.close())

  const editor = () => page.getByLabel('Query', { exact: true })
  const list = () => page.getByRole('listbox', { name: 'Completions' })
  const text = async () => (await editor().innerText()).trim()

  /** @param marked the text with `|` where the cursor is */
  async function write(marked: string): Promise<void> {
    const [head = '', tail = ''] = marked.split('|')
    await editor().focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(tail)
    await page.keyboard.press('Control+Home')
    // The last letter is typed: that is what asks for suggestions.
    await page.keyboard.insertText(head.slice(0, -1))
    await page.keyboard.type(head.slice(-1))
  }

  for (const [what, marked, expected] of [
    ['an object', 'SELECT Id FROM Acc|', 'SELECT Id FROM Account'],
    ['a field', 'SELECT Id, Na| FROM Account', 'SELECT Id, Name FROM Account'],
    ['a field by its label', 'SELECT Employ| FROM Account', 'SELECT NumberOfEmployees FROM Account'],
    [
      'a field of a parent',
      'SELECT Account.Owner.Usern| FROM Contact',
      'SELECT Account.Owner.Username FROM Contact',
    ],
    [
      'a child query',
      'SELECT Id, Contacts| FROM Account',
      'SELECT Id, (SELECT Id FROM Contacts) FROM Account',
    ],
    [
      'the children',
      'SELECT Id, (SELECT Id FROM Opp|) FROM Account',
      'SELECT Id, (SELECT Id FROM Opportunities) FROM Account',
    ],
    [
      'a field of a child',
      'SELECT (SELECT LastN| FROM Contacts) FROM Account',
      'SELECT (SELECT LastName FROM Contacts) FROM Account',
    ],
    [
      'a picklist value',
      'SELECT Id FROM Opportunity WHERE StageName = Pros|',
      "SELECT Id FROM Opportunity WHERE StageName = 'Prospecting'",
    ],
    [
      'a picklist value in quotes',
      "SELECT Id FROM Opportunity WHERE StageName = 'Closed W|",
      "SELECT Id FROM Opportunity WHERE StageName = 'Closed Won'",
    ],
    [
      'a date literal',
      'SELECT Id FROM Opportunity WHERE CloseDate > LAST_Q|',
      'SELECT Id FROM Opportunity WHERE CloseDate > LAST_QUARTER',
    ],
    ['a function', 'SELECT COUNT_D| FROM Account', 'SELECT COUNT_DISTINCT() FROM Account'],
    [
      'a word',
      'SELECT Id FROM Account WHERE Name = NULL ORDE|',
      'SELECT Id FROM Account WHERE Name = NULL ORDER BY',
    ],
  ] as const)
    test(`Tab takes the first suggestion: ${what}`, async () => {
      await write(marked)
      await list().waitFor()
      await page.keyboard.press('Tab')
      assert.equal(await text(), expected)
    })

  test('a function leaves the cursor inside, and a child query behind its first field', async () => {
    await write('SELECT COUNT_D| FROM Account')
    await list().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.insertText('Id')
    assert.equal(await text(), 'SELECT COUNT_DISTINCT(Id) FROM Account')
    await write('SELECT Contacts| FROM Account')
    await list().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.insertText(', LastName')
    assert.equal(await text(), 'SELECT (SELECT Id, LastName FROM Contacts) FROM Account')
  })

  test('a relationship goes on with the fields of its parent', async () => {
    await write('SELECT Owner| FROM Account')
    await list()
      .getByRole('option', { name: /^R ?Owner/ })
      .click()
    await list()
      .getByRole('option', { name: /Username/ })
      .waitFor()
    assert.equal(await text(), 'SELECT Owner. FROM Account')
  })

  test('what is selected already is not suggested again', async () => {
    await write('SELECT Id, N| FROM Account')
    await list()
      .getByRole('option', { name: /^F ?Name/ })
      .waitFor()
    await write('SELECT Id, Name, N| FROM Account')
    await list()
      .getByRole('option', { name: /NumberOfEmployees/ })
      .waitFor()
    assert.equal(
      await list()
        .getByRole('option', { name: /^F ?Name/ })
        .count(),
      0,
    )
  })

  test('Ctrl+Space in a select list writes all fields that the user sees and that are not there yet', async () => {
    await write('SELECT Name, |  FROM Contact')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Space')
    await editor().getByText('MailingCity').waitFor()
    const written = /^SELECT (.*) FROM Contact$/
      .exec((await text()).replaceAll(/\s+/g, ' '))![1]!
      .split(',')
      .map((name) => name.trim())
    const { body } = await client.o.call('GET', '/sobjects/Contact/describe')
    const described: string[] = body.fields.map(({ name }: { name: string }) => name)
    assert.deepEqual(written.toSorted(), described.toSorted())
    assert.deepEqual(written.slice(0, 2), ['Name', 'Id'])
    await page.keyboard.press('Control+Enter')
    await page.getByText('No rows').waitFor()
  })

  test('Ctrl+Space behind a word writes the fields that contain it, and behind a path those of the parent', async () => {
    await write('SELECT Id, Mailing| FROM Contact')
    await page.keyboard.press('Control+Space')
    await editor().getByText('MailingCity').waitFor()
    const fields = /^SELECT Id, (.*) FROM Contact$/.exec(await text())![1]!.split(', ')
    assert.ok(fields.length > 5 && fields.every((name) => name.startsWith('Mailing')), fields.join())
    await write('SELECT Account.Owner.Email| FROM Contact')
    await page.keyboard.press('Control+Space')
    await editor().getByText('Owner.EmailEncodingKey').waitFor()
    assert.match(await text(), /^SELECT Account\.Owner\.Email, Account\.Owner\.Email\w+/)
  })

  test('Ctrl+Space elsewhere lists what may stand there', async () => {
    await write('SELECT Id FROM Account |')
    await page.keyboard.press('Control+Space')
    await list().getByRole('option', { name: /WHERE/ }).waitFor()
    await page.keyboard.press('Escape')
    await list().waitFor({ state: 'detached' })
  })

  test('Ctrl+Space lists it also while suggestions for what was typed are on their way', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/query/assist', async (route) => {
      if (asked++ === 0) await released
      await route.continue()
    })
    await write('SELECT Name FROM Account |')
    while (asked === 0) await page.waitForTimeout(10)
    await page.keyboard.press('Control+Space')
    while (asked === 1) await page.waitForTimeout(10)
    await page.waitForTimeout(200)
    release()
    await list().getByRole('option', { name: /WHERE/ }).waitFor()
    await page.unroute('**/query/assist')
    await page.keyboard.press('Escape')
    await list().waitFor({ state: 'detached' })
  })

  test('Enter behind a space begins a line, and Tab without suggestions leaves the editor', async () => {
    await write('SELECT Id FROM Account WHERE |')
    await list().waitFor()
    await page.keyboard.press('Enter')
    assert.match(await editor().innerText(), /WHERE\s*\n/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Run' }).and(page.locator(':focus')).waitFor()
  })

  for (const [query, part, message] of [
    ['SELECT Id, Nothing FROM Account', 'Nothing', /No such column 'Nothing'/],
    ['SELECT Id FROM Nowhere', 'Nowhere', /'Nowhere' is not supported/],
    ["SELECT Id\nFROM Account\nWHERE Name = 'x' ORDR BY Name", 'ORDR', /unexpected token: 'ORDR'/],
  ] as const)
    test(`a mistake is underlined where it is: ${part}`, async () => {
      await write('')
      await page.keyboard.insertText(query)
      const mark = page.locator('.cm-lintRange-error')
      await mark.waitFor()
      assert.equal(await mark.innerText(), part)
      await page.keyboard.press('Escape')
      await mark.hover()
      const tooltip = page.locator('.cm-tooltip-lint')
      await tooltip.getByText(message).waitFor()
      assert.ok((await tooltip.boundingBox())!.width <= 520)
    })

  test('a place that is not written yet is no mistake while the cursor is there, and is one when it has left', async () => {
    await write('SELECT Id, | FROM Account')
    const mark = page.locator('.cm-lintRange-error')
    await list().waitFor()
    await page.waitForTimeout(900)
    assert.equal(await mark.count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+End')
    await mark.waitFor()
    assert.equal(await mark.innerText(), 'FROM')
  })

  test('nothing that the policy of the page forbids was tried', () => assertQuiet())
})
