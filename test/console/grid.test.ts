import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

const PLANT = {
  fields: {
    Kind__c: { type: 'picklist', values: ['Tree', 'Flower'] },
    Sort__c: {
      type: 'picklist',
      controller: 'Kind__c',
      values: [
        { value: 'Oak', validFor: ['Tree'] },
        { value: 'Ash', validFor: ['Tree'] },
        { value: 'Rose', validFor: ['Flower'] },
      ],
    },
    Notes__c: { type: 'longtextarea', length: 10_000, label: 'Notes' },
    Height__c: { type: 'double', precision: 8, scale: 2 },
  },
}

describe('the grid of results in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const { status, text } = await deploy(client.o, { Plant__c: PLANT } as never)
    assert.equal(status, 200, text.slice(0, 1000))
  })
  after(() => client?.close())

  const grid = (page: Page) => page.getByRole('grid', { name: 'Result' })
  const cell = (page: Page, name: string) => grid(page).getByRole('gridcell', { name, exact: true })
  /** Opens a query of the plants of a place, and runs it. */
  async function run(open: (path: string) => Promise<void>, page: Page, q: string): Promise<void> {
    await open(`/query?${new URLSearchParams({ q })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    await grid(page).waitFor()
  }
  const readValue = async (id: string, field: string) =>
    (await client.o.call('GET', `/sobjects/Plant__c/${id}?fields=${field}`)).body[field]

  test('has the keys of a spreadsheet: typing begins an edit, Enter and Tab go on, Delete empties, Ctrl+Z undoes, Ctrl+S saves', async () => {
    const first = await client.o.create('Plant__c', { Name: 'Keys 1', Height__c: 1 })
    const second = await client.o.create('Plant__c', { Name: 'Keys 2', Height__c: 2 })
    const { page, open, assertQuiet } = await client.logIn()
    await run(open, page, "SELECT Name, Height__c, Id FROM Plant__c WHERE Name LIKE 'Keys%' ORDER BY Name")
    await cell(page, 'Keys 1').click()
    await grid(page).focus()
    await page.keyboard.type('Typed')
    await page.keyboard.press('Enter')
    await cell(page, 'Typed').waitFor()
    // Enter went down.
    await page.keyboard.type('Below')
    await page.keyboard.press('Tab')
    await cell(page, 'Below').waitFor()
    // Tab went to the right.
    await page.keyboard.press('Delete')
    await grid(page).getByRole('row', { name: 'Below' }).getByText('NULL').waitFor()
    await page.getByText('3 changes in 2 records').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('2 changes in 2 records').waitFor()
    await cell(page, '2').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('7')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('7.5')
    // What is in the cell is saved too.
    await page.keyboard.press('Control+s')
    await page.getByText('2 records saved.').waitFor()
    assert.deepEqual(
      [await readValue(first, 'Name'), await readValue(first, 'Height__c'), await readValue(second, 'Name')],
      ['Typed', 7.5, 'Below'],
    )
    assert.equal(await readValue(second, 'Height__c'), 2)
    // Where nothing can be edited, typing does nothing.
    await cell(page, first).click({ position: { x: 3, y: 15 } })
    await grid(page).focus()
    await page.keyboard.type('x')
    assert.equal(await grid(page).getByRole('textbox').count(), 0)
    assertQuiet()
  })

  test('edits a long text beside it, and shows there what is staged', async () => {
    const id = await client.o.create('Plant__c', { Name: 'Long', Notes__c: 'one\ntwo' })
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await run(open, page, "SELECT Name, Notes__c, Id FROM Plant__c WHERE Name = 'Long'")
    await cell(page, 'one two').dblclick()
    const drawer = page.getByRole('dialog', { name: 'Notes__c' })
    const input = drawer.getByRole('textbox', { name: 'Notes' })
    assert.equal(await input.inputValue(), 'one\ntwo')
    await input.fill('one\ntwo\nthree')
    await assertAccessible()
    await page.keyboard.press('Control+Enter')
    await drawer.waitFor({ state: 'detached' })
    await page.getByText('1 change in 1 record').waitFor()
    await grid(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await drawer.getByText('one\ntwo\nthree').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+s')
    await page.getByText('1 record saved.').waitFor()
    assert.equal(await readValue(id, 'Notes__c'), 'one\ntwo\nthree')
    assertQuiet()
  })

  test('offers what the controlling field allows, also when the query did not ask for it', async () => {
    await client.o.create('Plant__c', { Name: 'Depends', Kind__c: 'Tree', Sort__c: 'Oak' })
    const { page, open } = await client.logIn()
    const options = async () =>
      (await grid(page).getByRole('combobox').getByRole('option').allInnerTexts()).filter(
        (one) => one !== 'NULL',
      )
    await run(open, page, "SELECT Kind__c, Sort__c, Id FROM Plant__c WHERE Name = 'Depends'")
    await cell(page, 'Oak').dblclick()
    await grid(page).getByRole('combobox').waitFor()
    assert.deepEqual((await options()).toSorted(), ['Ash', 'Oak'])
    await page.keyboard.press('Escape')
    // What is staged counts.
    await cell(page, 'Tree').dblclick()
    await grid(page).getByRole('combobox').selectOption('Flower')
    await page.keyboard.press('Tab')
    await page.keyboard.press('F2')
    assert.deepEqual((await options()).toSorted(), ['Oak', 'Rose'])
    await page.keyboard.press('Escape')
    await run(open, page, "SELECT Sort__c, Id FROM Plant__c WHERE Name = 'Depends'")
    await cell(page, 'Oak').dblclick()
    await grid(page).getByRole('combobox').getByRole('option', { name: 'Ash' }).waitFor({ state: 'attached' })
    assert.deepEqual((await options()).toSorted(), ['Ash', 'Oak'])
  })

  test('opens a cell that was double-clicked before the description came, when it has come', async () => {
    await client.o.create('Plant__c', { Name: 'Early' })
    const { page, open } = await client.logIn()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/Plant__c/describe', async (route) => {
      await released
      await route.continue()
    })
    await run(open, page, "SELECT Name, Id FROM Plant__c WHERE Name = 'Early'")
    await cell(page, 'Early').dblclick()
    assert.equal(await page.getByRole('dialog').count(), 0)
    release()
    await grid(page).getByRole('textbox').fill('Late')
    await page.keyboard.press('Enter')
    await page.getByText('1 change in 1 record').waitFor()
  })

  test('takes what is typed, and Enter behind it, also before it is known what can be edited', async () => {
    await client.o.create('Plant__c', { Name: 'Ahead' })
    const { page, open } = await client.logIn()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/Plant__c/describe', async (route) => {
      await released
      await route.continue()
    })
    await run(open, page, "SELECT Name, Id FROM Plant__c WHERE Name = 'Ahead'")
    await cell(page, 'Ahead').click()
    await grid(page).focus()
    await page.keyboard.type('Typed')
    await page.keyboard.press('Enter')
    release()
    await cell(page, 'Typed').waitFor()
    await page.getByText('1 change in 1 record').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  test('copies and fills ranges of cells as a spreadsheet does: by keys, by the mouse, from the clipboard', async () => {
    const ids = []
    for (const [Name, Height__c] of [
      ['Range 1', 1],
      ['Range "2"', 2],
      ['Range 3', 3],
    ])
      ids.push(await client.o.create('Plant__c', { Name, Height__c }))
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await run(
      open,
      page,
      "SELECT Name, Height__c, Id FROM Plant__c WHERE Name LIKE 'Range%' ORDER BY Height__c",
    )
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    const put = (text: string) => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await cell(page, 'Range 1').click()
    await grid(page).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowRight')
    assert.equal(await grid(page).locator('[role=gridcell][aria-selected=true]').count(), 4)
    await assertAccessible()
    await page.keyboard.press('Control+c')
    await page.waitForFunction("navigator.clipboard.readText().then((text) => text.includes('\\t'))")
    assert.equal(await clipboard(), 'Range 1\t1\n"Range ""2"""\t2')
    // The last row, and what can be written nowhere: the id.
    await put('New\t7.5\tnothing\r\nBelow\t8\r\n')
    await cell(page, 'Range "2"').click()
    await grid(page).focus()
    await page.keyboard.press('Control+v')
    await page.getByText('1 of 5 cells stay as they are: nothing can be written there.').waitFor()
    await page.getByText('4 changes in 2 records').waitFor()
    // One value fills a range, which the mouse draws; Ctrl+Z takes all of it back.
    await put('4')
    await cell(page, '1').hover()
    await page.mouse.down()
    await cell(page, '8').hover()
    await page.mouse.up()
    await grid(page).focus()
    await page.keyboard.press('Control+v')
    await page.getByText('5 changes in 3 records').waitFor()
    assert.equal(await cell(page, '4').count(), 3)
    await page.keyboard.press('Delete')
    assert.equal(await grid(page).getByText('NULL').count(), 3)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.getByText('4 changes in 2 records').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('2 records saved.').waitFor()
    for (const [index, name, height] of [
      [0, 'Range 1', 1],
      [1, 'New', 7.5],
      [2, 'Below', 8],
    ] as const)
      assert.deepEqual(
        [await readValue(ids[index]!, 'Name'), await readValue(ids[index]!, 'Height__c')],
        [name, height],
      )
    assertQuiet()
  })

  test('is as wide as its values at first and fills its window, until a column is given a width', async () => {
    await client.o.create('Plant__c', { Name: 'W', Notes__c: 'a note of some forty characters, or more' })
    const { page, open, assertQuiet } = await client.logIn()
    await run(open, page, "SELECT Name, Notes__c FROM Plant__c WHERE Name = 'W'")
    const heads = grid(page).getByRole('columnheader')
    const widths = async () =>
      Promise.all([1, 2].map(async (index) => (await heads.nth(index).boundingBox())!.width))
    const [name, notes] = await widths()
    assert.ok(notes! > name! + 150, `${name} and ${notes}`)
    const box = (await grid(page).boundingBox())!
    const last = (await heads.nth(2).boundingBox())!
    assert.ok(Math.abs(box.x + box.width - last.x - last.width) < 20, 'the grid is filled')
    const first = (await heads.nth(1).boundingBox())!
    await page.mouse.move(first.x + first.width, first.y + 10)
    await page.mouse.down()
    await page.mouse.move(first.x + first.width - 40, first.y + 10, { steps: 4 })
    await page.mouse.up()
    const [narrower, same] = await widths()
    assert.ok(narrower! < name!, `${narrower}`)
    assert.equal(same, notes)
    assertQuiet()
  })

  test('has its bar of changes below the rows, in whatever window', async () => {
    for (let index = 0; index < 30; index++) await client.o.create('Plant__c', { Name: `Many ${index}` })
    const { page, open } = await client.logIn()
    for (const [width, height] of [
      [1280, 800],
      [640, 400],
      [380, 700],
    ] as const) {
      await page.setViewportSize({ width, height })
      await run(open, page, "SELECT Name, Id FROM Plant__c WHERE Name LIKE 'Many%' ORDER BY Name")
      await grid(page).focus()
      await page.keyboard.press('Control+End')
      await page.keyboard.press('Home')
      await page.keyboard.type('Last')
      await page.keyboard.press('Enter')
      const bar = page.getByRole('region', { name: 'Changes' })
      await bar.waitFor()
      await bar.scrollIntoViewIfNeeded()
      const [save, rows] = [
        await bar.getByRole('button', { name: 'Save' }).boundingBox(),
        await grid(page).boundingBox(),
      ]
      assert.ok(
        save!.x >= 0 && save!.x + save!.width <= width && save!.y + save!.height <= height,
        `${width}`,
      )
      assert.ok(rows!.y + rows!.height <= save!.y, `${width}: the bar lies over the rows`)
      await bar.getByRole('button', { name: 'Discard' }).click()
    }
  })
})
