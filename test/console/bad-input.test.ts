import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { PASSWORD } from '../support/browser-client.ts'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'
import { addFault, forget } from '../support/faults.ts'
import { addPerson } from '../support/people.ts'

/* Orgs, users and networks as they may be. */

const MARKUP = '<img src=x onerror=document.title="hit">'

/** Names of fields, in the order in which they are asked for. */
const names = (count: number) => Array.from({ length: count }, (_, index) => `Field${index}__c`)

const COLUMNS = 500

describe('the console, whatever comes', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient({ allowFaults: 'true' })
    const wide = {
      label: 'Wide',
      labelPlural: 'Wide things',
      fields: Object.fromEntries(
        names(COLUMNS).map((name) => [name, { type: 'string', length: 80, label: `${name} ${MARKUP}` }]),
      ),
    }
    const others = Array.from({ length: 200 }, (_, index) => [
      `Thing${String(index).padStart(3, '0')}__c`,
      {
        label: index === 7 ? MARKUP : `Thing ${index}`,
        labelPlural: index === 7 ? MARKUP : `Things ${index}`,
        ...(index === 0 && { fields: { Note__c: { type: 'longtextarea', length: 131_072 } } }),
      },
    ])
    const { status, text } = await deploy(client.o, { Wide__c: wide, ...Object.fromEntries(others) } as never)
    assert.equal(status, 200, text.slice(0, 1000))
  })
  after(() => client?.close())

  test('a result of 500 columns shows its last column by the keyboard', async () => {
    const values = Object.fromEntries(names(COLUMNS).map((name, index) => [name, `value ${index}`]))
    await client.o.create('Wide__c', { Name: 'One', ...values })
    const { page, open, assertQuiet } = await client.logIn()
    await open('/query')
    await page.getByLabel('Query', { exact: true }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(`SELECT ${names(COLUMNS).join(', ')} FROM Wide__c`)
    await page.keyboard.press('Control+Enter')
    const grid = page.getByRole('grid', { name: 'Result' })
    await grid.getByText('value 0', { exact: true }).waitFor()
    assert.ok((await grid.getByRole('gridcell').count()) < 60)
    await grid.focus()
    await page.keyboard.press('End')
    await grid.getByText('value 499', { exact: true }).waitFor()
    assertQuiet()
  })

  test('an object of 500 fields opens in list, record and form, and its labels are text', async () => {
    const id = await client.o.create('Wide__c', { Name: MARKUP })
    const { page, open, assertQuiet } = await client.logIn()
    await open('/records/Wide__c')
    await page.getByText(MARKUP, { exact: true }).first().waitFor()
    await open(`/records/Wide__c/${id}`)
    await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel(/^(Wide )?Name/).waitFor()
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    assert.doesNotMatch(await page.title(), /^hit/)
    assertQuiet()
  })

  test('200 objects of the org are listed and found, and their labels are text', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/records')
    await page.getByText('Things 199', { exact: true }).first().waitFor()
    await page.getByText(MARKUP, { exact: true }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search or go to').last().fill('Things 123')
    await page.getByRole('dialog').getByText('Things 123', { exact: true }).waitFor()
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    assertQuiet()
  })

  test('a record whose every field is empty, and one with 100 kB of text, open and are edited', async () => {
    const empty = await client.o.create('Wide__c', {})
    const long = await client.o.create('Thing000__c', { Name: 'Long', Note__c: `${MARKUP}\n`.repeat(2500) })
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/records/Wide__c/${empty}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('tab', { name: 'All fields' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel(/^(Wide )?Name/).fill('No longer empty')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'No longer empty' }).waitFor()
    await open(`/records/Thing000__c/${long}`)
    await page.getByRole('heading', { level: 1, name: 'Long' }).waitFor()
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    assertQuiet()
  })

  test('what a query, a path, an error and a call of the log hold is text', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open(`/query?${new URLSearchParams({ q: `SELECT ${MARKUP} FROM ${MARKUP}` })}`)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await page.getByRole('dialog').getByText(MARKUP).first().waitFor()
    await page.keyboard.press('Escape')
    const path = `/services/data/v68.0/sobjects/Account/${encodeURIComponent(MARKUP)}`
    await open(`/explorer?${new URLSearchParams({ path, body: MARKUP, method: 'PATCH' })}`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('region', { name: 'Response' })
      .getByText(/^4\d\d$/)
      .first()
      .waitFor()
    await page.waitForTimeout(1500)
    await open('/calls?find=onerror&own=on')
    await page.getByRole('grid', { name: 'Calls' }).getByText('PATCH').first().waitFor()
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    assert.doesNotMatch(await page.title(), /^hit/)
    assertQuiet()
  })

  test('a user without rights sees on every screen what that means, and nothing breaks', async () => {
    const person = await addPerson(client.o, 'nobody')
    await setPassword(client.o.db, client.o.org, person.id, PASSWORD, systemClock, {})
    const { page, open, assertQuiet } = await client.logIn({ username: 'nobody@objectry.test' })
    for (const [path, told] of [
      ['/', 'Try first'],
      ['/query', 'Run'],
      ['/explorer', 'Send'],
      ['/records/Account', /may not|not supported|not found|INVALID_TYPE|NOT_FOUND/i],
      ['/records/Account/001000000000001', /may not|not supported|not found|INVALID_TYPE|NOT_FOUND/i],
      ['/records/Account/new', /may not|not supported|not found|INVALID_TYPE|NOT_FOUND/i],
      ['/calls', 'You may not read the call log'],
      ['/limits', /Limits/],
    ] as const) {
      await open(path)
      await page.getByRole('main').getByText(told).first().waitFor()
    }
    await open('/records')
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor()
    assertQuiet()
  })

  test('without network a write is not taken for saved, what was typed stays, and it is sent when the network is back', async () => {
    const id = await client.o.create('Account', { Name: 'Before' })
    const { page, open } = await client.logIn()
    await open(`/records/Account/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Name').fill('After')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The server does not answer.').first().waitFor()
    assert.equal(await page.getByLabel('Account Name').inputValue(), 'After')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'After' }).waitFor()
  })

  test('a slow query can be stopped, and one that fails can be run again', async () => {
    const { page, open } = await client.logIn()
    await open(`/query?${new URLSearchParams({ q: 'SELECT Id FROM Contact' })}`)
    await page.getByRole('button', { name: 'Run' }).waitFor()
    /** Servers read plans again after half a second. */
    const inject = async (effect: object) => {
      await forget(client.o)
      await addFault(client.o, 'plan', { match: { route: '/query' }, effect })
      await page.waitForTimeout(700)
    }
    try {
      await inject({ latency: 20_000 })
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'Run' }).waitFor()
      await inject({ status: 503 })
      await page.getByRole('button', { name: 'Run' }).click()
      await page
        .getByRole('alert')
        .getByText(/SERVER_UNAVAILABLE|HTTP_503/)
        .waitFor()
      await inject({ cut: 'afterCommit' })
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByRole('alert').getByText('The server does not answer.').waitFor()
    } finally {
      await forget(client.o)
    }
    await page.waitForTimeout(700)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('No rows').waitFor()
  })

  test('two tabs that edit one record: the second is told what the first has saved', async () => {
    const id = await client.o.create('Account', { Name: 'Twice', Phone: '1' })
    const { page, open } = await client.logIn()
    const other = await page.context().newPage()
    await other.goto(`${client.address}/console/records/Account/${id}`)
    await other.getByRole('button', { name: 'Edit' }).click()
    await open(`/records/Account/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Phone').fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await other.getByLabel('Account Phone').fill('3')
    await other.getByRole('button', { name: 'Save' }).click()
    await other
      .getByRole('alert')
      .getByText(/Phone was changed to “2”, and you have “3”/)
      .waitFor()
    assert.equal((await client.o.call('GET', `/sobjects/Account/${id}?fields=Phone`)).body.Phone, '2')
  })
})
