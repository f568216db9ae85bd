import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

describe('A new record in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const deployed = await deploy(client.o, {
      Trip__c: {
        label: 'Trip',
        labelPlural: 'Trips',
        fields: {
          Way__c: { type: 'picklist', label: 'Way', values: ['Rail', 'Sea', 'Air'] },
        },
        recordTypes: {
          Short: { label: 'Short trip', default: true, picklists: { Way__c: ['Rail'] } },
          Long: { label: 'Long trip', picklists: { Way__c: ['Sea', 'Air'] } },
        },
      },
    } as never)
    assert.equal(deployed.status, 200, deployed.text)
  })
  after(() => client?.close())

  test('of an object with record types asks for the type once, and has the values of the one that is chosen', async () => {
    const { page, open, assertAccessible, assertQuiet } = await client.logIn()
    await open('/records/Trip__c/new')
    const way = page.getByRole('combobox', { name: 'Way', exact: true })
    await way.click()
    await page.getByRole('option', { name: 'Rail', exact: true }).waitFor()
    assert.equal(await page.getByRole('option', { name: 'Sea', exact: true }).count(), 0)
    await page.keyboard.press('Escape')
    const type = page.getByRole('combobox', { name: /Record Type/i })
    assert.equal(await type.count(), 1)
    assert.equal(await type.inputValue(), 'Short trip')
    await type.click()
    await page.getByRole('option', { name: 'Short trip', exact: true }).waitFor()
    assert.equal(await page.getByRole('option').count(), 2)
    await page.getByRole('option', { name: 'Long trip', exact: true }).click()
    await page.waitForURL(/type=/)
    await way.click()
    await page.getByRole('option', { name: 'Sea', exact: true }).click()
    await assertAccessible()
    await page.getByLabel('Trip Name').fill('Around the world')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Around the world', exact: true }).waitFor()
    const q = "SELECT RecordType.Name, Way__c FROM Trip__c WHERE Name = 'Around the world'"
    const { body } = await client.o.call('GET', `/query?${new URLSearchParams({ q })}`)
    assert.deepEqual([body.records[0].RecordType.Name, body.records[0].Way__c], ['Long trip', 'Sea'])
    assertQuiet()
  })
})
