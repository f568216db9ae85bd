import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

/** Fields before the one that is refused: the form is taller than the window. */
const FIELDS = Array.from({ length: 60 }, (_, index) => `Field${String(index).padStart(2, '0')}__c`)

const LONG = {
  label: 'Long form',
  labelPlural: 'Long forms',
  fields: {
    Amount__c: { type: 'double', precision: 8, scale: 2, label: 'Amount' },
    ...Object.fromEntries(FIELDS.map((name) => [name, { type: 'string', length: 80, label: name }])),
  },
  validations: {
    NotNegative: {
      condition: 'Amount__c < 0',
      message: 'The amount is negative.',
      field: 'Amount__c',
    },
  },
}

describe('a save that is refused in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const { status, text } = await deploy(client.o, { Long__c: LONG } as never)
    assert.equal(status, 200, text.slice(0, 1000))
  })
  after(() => client?.close())

  /** Both are in the window, and nothing lies over them. */
  async function assertSeen(...seen: readonly Locator[]): Promise<void> {
    for (const one of seen) {
      const box = await one.boundingBox()
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 800, `${one}: ${JSON.stringify(box)}`)
      const isOnTop = await one.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const hit = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2)
        return hit !== null && (element.contains(hit) || hit.contains(element))
      })
      assert.ok(isOnTop, `something lies over ${one}`)
    }
  }

  test('says why beside its button, and the cursor is in the first field that was refused', async () => {
    const id = await client.o.create('Long__c', { Name: 'One' })
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open(`/records/Long__c/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Amount', { exact: true }).fill('-1')
    const last = page.getByLabel(FIELDS.at(-1)!, { exact: true })
    await last.fill('typed at the end')
    await page.getByRole('button', { name: 'Save' }).click()
    const cause = page.getByRole('alert').getByText('The amount is negative.')
    await cause.waitFor()
    const amount = page.getByLabel('Amount', { exact: true })
    await amount.and(page.locator(':focus')).waitFor()
    assert.equal(await amount.getAttribute('aria-invalid'), 'true')
    await assertSeen(cause, amount, page.getByRole('button', { name: 'Save' }))
    await assertAccessible()
    await last.focus()
    await page.getByRole('alert').getByRole('button', { name: 'Amount' }).click()
    await amount.and(page.locator(':focus')).waitFor()
    assert.equal(await last.inputValue(), 'typed at the end')
    assertQuiet()
  })

  test('says so of a new record at the field and beside the button', async () => {
    const { page, open } = await client.logIn()
    await open('/records/Contact/new')
    await page.getByLabel('First Name').fill('Ada')
    await page.keyboard.press('Control+s')
    const cause = page.getByRole('alert').getByText('Required fields are missing: [LastName]')
    await cause.waitFor()
    await page.getByLabel('Last Name').and(page.locator(':focus')).waitFor()
    await assertSeen(cause, page.getByLabel('Last Name'))
  })

  test('by a server that is gone says so beside the button, which can be pressed again', async () => {
    const id = await client.o.create('Long__c', { Name: 'Two' })
    const { page, open } = await client.logIn()
    await open(`/records/Long__c/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel(FIELDS.at(-1)!, { exact: true }).fill('kept')
    await page.route('**/sobjects/Long__c/**', (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionrefused') : route.continue(),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    const cause = page.getByRole('alert').getByText(/^The server does not answer/)
    await cause.waitFor()
    const save = page.getByRole('button', { name: 'Save' })
    await save.and(page.locator(':focus')).waitFor()
    await assertSeen(cause, save)
    await page.unroute('**/sobjects/Long__c/**')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
  })

  test('of a record that changed meanwhile shows both values at the field', async () => {
    const id = await client.o.create('Long__c', { Name: 'Three', Amount__c: 1 })
    const { page, open } = await client.logIn()
    await open(`/records/Long__c/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Amount', { exact: true }).fill('2')
    await page.getByLabel(FIELDS.at(-1)!, { exact: true }).fill('below')
    await client.o.call('PATCH', `/sobjects/Long__c/${id}`, { body: { Amount__c: 3 } })
    await page.getByRole('button', { name: 'Save' }).click()
    const told = page.getByRole('alert').getByText('Amount__c was changed to “3”, and you have “2”.')
    await told.waitFor()
    const amount = page.getByLabel('Amount', { exact: true })
    await amount.and(page.locator(':focus')).waitFor()
    await assertSeen(told, amount)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
  })

  test('of cells of a result leads to the first that was refused, and marks only the fields that were', async () => {
    for (const Name of ['A', 'B', 'C'])
      await client.o.create('Long__c', { Name, Amount__c: 1, [FIELDS[0]!]: 'cells' })
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    const q = `SELECT Name, Amount__c, Id FROM Long__c WHERE ${FIELDS[0]} = 'cells' ORDER BY Name`
    await open(`/query?${new URLSearchParams({ q })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    const grid = page.getByRole('grid', { name: 'Result' })
    // The head is a row too.
    const edit = async (row: number, value: string) => {
      const cells = grid.getByRole('row').nth(row).getByRole('gridcell')
      await cells.nth(0).dblclick()
      await grid.getByRole('textbox').fill(`${row} changed`)
      await grid.getByRole('textbox').press('Tab')
      await page.keyboard.press('F2')
      await grid.getByRole('textbox').fill(value)
      await grid.getByRole('textbox').press('Enter')
    }
    await edit(1, '5')
    await edit(2, '-5')
    await edit(3, '6')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText(/Amount__c.*The amount is negative/).waitFor()
    await page.getByText('2 records saved.').waitFor()
    const refused = grid.getByRole('gridcell', { name: '-5' })
    assert.equal(await refused.getAttribute('aria-invalid'), 'true')
    assert.match((await refused.getAttribute('title')) ?? '', /The amount is negative/)
    assert.equal(await grid.getByRole('gridcell', { name: '2 changed' }).getAttribute('aria-invalid'), null)
    // The grid has the focus, and the refused cell is the active one.
    await grid.and(page.locator(':focus')).waitFor()
    assert.equal(await grid.getAttribute('aria-activedescendant'), await refused.getAttribute('id'))
    await assertSeen(refused, changes, changes.getByRole('button', { name: 'Save' }))
    await assertSeen(changes.getByRole('button', { name: 'Discard' }))
    await assertAccessible()
    assertQuiet()
  })
})
