import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { PASSWORD } from '../support/browser-client.ts'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'
import { addPerson, allow } from '../support/people.ts'

describe('Work on lists of records in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const deployed = await deploy(client.o, {
      Trip__c: {
        label: 'Journey',
        labelPlural: 'Journeys',
        fields: {
          Price__c: { type: 'int' },
          State__c: { type: 'picklist', restricted: true, values: ['Planned', 'Done'] },
        },
        validations: {
          Cheap: {
            condition: "ISPICKVAL(State__c, 'Done') && Price__c > 100",
            message: 'Too dear to be done',
          },
        },
      },
    })
    assert.equal(deployed.status, 200, deployed.text)
    for (const [Name, Price__c] of [
      ['North', 10],
      ['South', 500],
      ['West', 20],
      ['East', 30],
    ])
      await client.o.create('Trip__c', { Name, Price__c, State__c: 'Planned' })
  })
  after(() => client?.close())

  const statesOf = async () => {
    const q = new URLSearchParams({ q: 'SELECT Name, State__c FROM Trip__c ORDER BY Price__c' })
    const { body } = await client.o.call('GET', `/query?${q}`)
    return body.records.map(({ State__c }: { State__c: string }) => State__c)
  }

  test('a field of chosen records is set, and those that are refused stay chosen with the reason', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    await open('/records/Trip__c?sort=Name')
    for (const row of [2, 3]) await page.getByLabel(`Select row ${row}`, { exact: true }).check()
    await page.getByRole('button', { name: 'Set a field…', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Set a field of 2 Journeys', exact: true })
    await dialog.getByRole('combobox', { name: 'Field', exact: true }).fill('State')
    await page.keyboard.press('Enter')
    await dialog.getByRole('combobox', { name: 'State', exact: true }).click()
    await page.getByRole('option', { name: 'Done', exact: true }).click()
    await assertAccessible()
    await dialog.getByRole('button', { name: 'Set 2', exact: true }).click()
    await page.getByText('State of 1 of 2 set').waitFor()
    await page.getByText(/Too dear to be done/).waitFor()
    assert.deepEqual(await statesOf(), ['Done', 'Planned', 'Planned', 'Planned'])
    await page.getByRole('button', { name: 'Delete 1…', exact: true }).waitFor()
    assert.equal(await page.getByLabel('Select row 3', { exact: true }).isChecked(), true)
    assertQuiet()
  })

  test('an empty value empties the field, which is said beforehand', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/records/Trip__c?sort=Name')
    await page.getByLabel('Select row 4', { exact: true }).check()
    await page.getByRole('button', { name: 'Set a field…', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Set a field of 1 Journey', exact: true })
    await dialog.getByRole('combobox', { name: 'Field', exact: true }).fill('State')
    await page.keyboard.press('Enter')
    await dialog.getByText('State becomes empty.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Set 1', exact: true }).click()
    await page.getByText('State of 1 of 1 set').waitFor()
    assert.deepEqual((await statesOf()).toSorted(), ['Done', 'Planned', 'Planned', null])
    assertQuiet()
  })

  test('a list becomes a list view of its object with its columns, condition and order, and the object stays as it is', async () => {
    const { page, open, assertQuiet, assertAccessible } = await client.logIn()
    const filter = JSON.stringify([['Price__c', 'most', '30']])
    await open(
      `/records/Trip__c?${new URLSearchParams({ filter, where: "Name = 'East' OR Name = 'West'", sort: '-Name' })}`,
    )
    await page.getByText('2 records, read at').waitFor()
    const save = page.getByRole('button', { name: 'Save as view', exact: true })
    const form = page.getByRole('form', { name: 'Save as a list view', exact: true })
    await save.click()
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByText('Enter a name with at least one letter.', { exact: true }).waitFor()
    await form.getByLabel('Name', { exact: true }).fill('Cheap ones')
    await assertAccessible()
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/records\/Trip__c\?view=Cheap_ones$/)
    await page.getByText('2 records, read at').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'View', exact: true }).inputValue(), 'Cheap ones')
    const described = await client.o.call('GET', '/sobjects/Trip__c/listviews/Cheap_ones/describe')
    assert.match(
      described.body.query,
      / FROM Trip__c WHERE \(Price__c <= 30\) AND \(Name = 'East' OR Name = 'West'\) ORDER BY Name DESC NULLS LAST, Id/,
    )
    const { body } = await client.o.call('GET', '/sobjects/Trip__c/describe')
    assert.deepEqual([body.label, body.labelPlural], ['Journey', 'Journeys'])
    assertQuiet()
  })

  test('a list of one’s own records becomes a view of those of whoever looks, and replaces one of the same name', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    const form = page.getByRole('form', { name: 'Save as a list view', exact: true })
    for (const [where, isReplaced] of [
      ['Price__c > 15', false],
      ['Price__c > 25', true],
    ] as const) {
      await open(`/records/Trip__c?${new URLSearchParams({ view: 'MyJourneys', where })}`)
      await page.getByRole('button', { name: 'Save as view', exact: true }).click()
      await form.getByLabel('Name', { exact: true }).fill('Mine and dear')
      await form
        .getByText('Replaces Mine and dear.', { exact: true })
        .waitFor({ state: isReplaced ? 'visible' : 'detached' })
      await form.getByRole('button', { name: 'Save', exact: true }).click()
      await page.waitForURL(/\/records\/Trip__c\?view=Mine_and_dear$/)
    }
    await page.getByText('2 records, read at').waitFor()
    const { body } = await client.o.call('GET', '/sobjects/Trip__c/listviews/Mine_and_dear/describe')
    assert.match(
      body.query,
      / FROM Trip__c USING SCOPE mine WHERE Price__c > 25 ORDER BY Name ASC NULLS FIRST, Id/,
    )
    assertQuiet()
  })

  test('who may not change the schema is told so where the view is named', async () => {
    const person = await addPerson(client.o, 'reader')
    await allow(client.o, person.setId, 'Account', 'Read')
    await setPassword(client.o.db, client.o.org, person.id, PASSWORD, systemClock, {})
    const { page, open, assertQuiet } = await client.logIn({ username: 'reader@objectry.test' })
    await open('/records/Account')
    await page.getByRole('button', { name: 'Save as view', exact: true }).click()
    const form = page.getByRole('form', { name: 'Save as a list view', exact: true })
    await form.getByLabel('Name', { exact: true }).fill('Other')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByRole('alert').waitFor()
    assertQuiet()
  })
})
