import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

const PRICE = {
  fields: {
    Net__c: { type: 'double', precision: 10, scale: 2, label: 'Net' },
    Gross__c: { type: 'double', scale: 2, formula: 'Net__c * 2', label: 'Gross' },
    Settings__c: { type: 'json' },
  },
}

describe('values after a save in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const { status, text } = await deploy(client.o, { Price__c: PRICE } as never)
    assert.equal(status, 200, text.slice(0, 1000))
  })
  after(() => client?.close())

  test('of a grid are those of the server: rounded and derived, and the next edit meets nobody else', async () => {
    await client.o.create('Price__c', { Name: 'Grid', Net__c: 1, Settings__c: { a: 1 } })
    const { page, open, assertQuiet } = await client.logIn()
    const q = "SELECT Net__c, Gross__c, Owner.Name, Settings__c, Id FROM Price__c WHERE Name = 'Grid'"
    await open(`/query?${new URLSearchParams({ q })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    const grid = page.getByRole('grid', { name: 'Result' })
    const cell = (name: string) => grid.getByRole('gridcell', { name, exact: true })
    const write = async (before: string, after: string) => {
      await cell(before).dblclick()
      await grid.getByRole('textbox').fill(after)
      await grid.getByRole('textbox').press('Enter')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('1 record saved.').last().waitFor()
      await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' })
    }
    await write('1', '1.239')
    await cell('1.24').waitFor()
    await cell('2.48').waitFor()
    await cell('Administrator').waitFor()
    await write('1.24', '5')
    await cell('10').waitFor()
    await write('{"a":1}', '{"a": 2}')
    await write('{"a":2}', '{"a": 3}')
    assertQuiet()
  })

  test('of a record are those of the server, and the next edit meets nobody else', async () => {
    const id = await client.o.create('Price__c', { Name: 'Page', Net__c: 1 })
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Price__c/${id}`)
    for (const [typed, kept, derived] of [
      ['1.239', '1.24', '2.48'],
      ['3.005', '3.01', '6.02'],
    ] as const) {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Net', { exact: true }).fill(typed)
      await page.keyboard.press('Control+s')
      await page.getByText(derived, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      assert.equal(await page.getByLabel('Net', { exact: true }).inputValue(), kept)
      await page.getByRole('button', { name: 'Cancel' }).click()
    }
    assertQuiet()
  })
})
