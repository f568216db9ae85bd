import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { PASSWORD, USERNAME } from '../support/browser-client.ts'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { addPerson } from '../support/people.ts'

describe('the frame of the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    await client.o.create('Account', { Name: 'Acme' })
  })
  after(() => client?.close())

  test('a user logs in, sees the org and what to try first, and a reload asks for nothing', async () => {
    const { page, assertQuiet, assertAccessible } = await client.logIn()
    await page.getByRole('heading', { level: 1, name: 'Test' }).waitFor()
    await page.getByRole('button', { name: /^Run: The newest/ }).click()
    await page.getByText('"totalSize": 1').waitFor()
    await assertAccessible()
    await page.reload()
    await page.getByRole('heading', { name: 'Try first' }).waitFor()
    assertQuiet()
  })

  test('a reload is one page and few files, and shows a skeleton until they have come', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await open('/records')
    await page.getByRole('link', { name: /^Accounts/ }).waitFor()
    const pages: string[] = []
    const files: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) pages.push(request.url())
      else if (request.url().includes('/console/assets/')) files.push(request.url())
    })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/console/assets/**', async (route) => {
      await released
      await route.continue()
    })
    const reload = page.reload()
    const skeleton = page.getByRole('status', { name: 'The console opens' })
    await skeleton.waitFor()
    // It is drawn, before any style of the console has come.
    const { width } = (await skeleton.boundingBox())!
    assert.equal(width, 1280)
    assert.ok((await page.evaluate<number>("performance.getEntriesByType('paint').length")) > 0)
    release()
    await reload
    await page.getByRole('link', { name: /^Accounts/ }).waitFor()
    assert.equal(await skeleton.count(), 0)
    assert.equal(pages.length, 1)
    assert.ok(files.length < 15, files.join('\n'))
    assertQuiet()
  })

  test('the token is nowhere but in the memory of the page', async () => {
    const { page } = await client.logIn()
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    assert.doesNotMatch(kept, /00D\w+!|access_token|refresh_token/)
  })

  test('the keyboard alone goes everywhere: the palette by Ctrl+K, the keys by ?', async () => {
    const { page, assertQuiet } = await client.logIn()
    await page.getByRole('heading', { name: 'Try first' }).waitFor()
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search or go to').last().fill('accounts')
    await page.getByText('Accounts', { exact: true }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/records\/Account/)
    await page.getByRole('grid', { name: 'Accounts' }).waitFor()
    assertQuiet()
  })

  test('a screen that takes longer than a moment to come shows that it is on its way', async () => {
    const { page, assertQuiet } = await client.logIn()
    await page.getByRole('heading', { name: 'Try first' }).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(/\/assets\/Limits-[^.]*\.js/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Limits', exact: true }).click()
    const progress = page.getByRole('progressbar', { name: 'Opening', exact: true })
    await progress.waitFor()
    held.resolve()
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor()
    await progress.waitFor({ state: 'detached' })
    assertQuiet()
  })

  test('the menu of the user leads to the documentation of this server', async () => {
    const { page, assertQuiet } = await client.logIn()
    await page.getByRole('button', { name: /User / }).click()
    const link = page.getByRole('menuitem', { name: 'Documentation' })
    assert.equal(await link.getAttribute('href'), '/docs/')
    assertQuiet()
  })

  test('a record is found by its id', async () => {
    const id = await client.o.create('Contact', { LastName: 'King' })
    const { page } = await client.logIn()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search or go to').last().fill(id)
    await page.getByText(`Open Contact ${id}`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'King' }).waitFor()
  })

  test('the palette finds records by their names, whatever their field is called, and takes the first by Enter', async () => {
    const id = await client.o.create('Task', { Subject: 'Zebra crossing' })
    const { page, assertQuiet, assertAccessible } = await client.logIn()
    await page.keyboard.press('Control+k')
    const box = page.getByLabel('Search or go to').last()
    const dialog = page.getByRole('dialog')
    const none = dialog.getByText('Nothing has this name or id')
    await box.pressSequentially('zebra')
    assert.equal(await none.count(), 0)
    await dialog.getByText('Zebra crossing').waitFor()
    // No other entry, and no id in place of the name.
    assert.equal(await dialog.getByText(id).count(), 0)
    await box.fill('zebra c')
    assert.equal(await none.count(), 0)
    await assertAccessible()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Zebra crossing' }).waitFor()
    await page.keyboard.press('Control+k')
    await box.fill('quagga')
    await none.waitFor()
    assertQuiet()
  })

  test('the palette begins what is done with an object, on whatever screen', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    const choose = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByLabel('Search or go to').last().fill(text)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await open('/query')
    await choose('query contact')
    await page.getByText('SELECT Id FROM Contact LIMIT 200').waitFor()
    await page.getByRole('button', { name: 'Contact', exact: true, pressed: true }).waitFor()
    await choose('query lead')
    await page.getByRole('button', { name: 'Lead', exact: true, pressed: true }).waitFor()
    await choose('fields of contact')
    await page.waitForURL(/\/explorer/)
    const address = page.getByRole('combobox', { name: 'Address' })
    assert.match(await address.inputValue(), /Contact\/describe$/)
    await choose('fields account')
    await page.waitForURL(/Account/)
    assert.match(await address.inputValue(), /Account\/describe$/)
    await choose('new contact')
    await page.getByRole('heading', { level: 1, name: 'New Contact' }).waitFor()
    await choose('new account')
    await page.getByRole('heading', { level: 1, name: 'New Account' }).waitFor()
    assertQuiet()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`axe finds nothing serious on any screen in ${colorScheme} colours`, async () => {
      const { page, open, assertQuiet, assertAccessible } = await client.logIn({ colorScheme })
      const id = await client.o.create('Account', { Name: `Seen in ${colorScheme}` })
      for (const path of [
        '/',
        '/query',
        '/explorer',
        '/calls',
        '/limits',
        '/records',
        '/records/Account',
        '/records/Account/new',
        `/records/Account/${id}`,
      ]) {
        await open(path)
        await page.locator('main h1').first().waitFor({ state: 'attached' })
        await assertAccessible()
      }
      assertQuiet()
    })

  test('a narrow window shows everything without a scroll to the side', async () => {
    const { page, open } = await client.logIn({ width: 380 })
    for (const path of ['/', '/records']) {
      await open(path)
      await page.locator('main h1').waitFor()
      const beyond = await page.evaluate<number>("document.querySelector('main').scrollWidth - innerWidth")
      assert.ok(beyond <= 0, `${path}: ${beyond} px beyond`)
    }
  })

  test('a session that ends in the middle of an edit is renewed, and nothing typed is lost', async () => {
    const id = await client.o.create('Account', { Name: 'Before' })
    const { page, open } = await client.logIn()
    await open(`/records/Account/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Name').fill('After')
    let isOver = false
    await page.route('**/sobjects/Account/**', async (route) => {
      if (isOver || route.request().method() !== 'PATCH') return route.continue()
      isOver = true
      return route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: '[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID","fields":[]}]',
      })
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'After' }).waitFor()
    const { body } = await client.o.call('GET', `/sobjects/Account/${id}?fields=Name`)
    assert.equal(body.Name, 'After')
  })

  test('a session that comes back as another user does not repeat the call that waits under that user', async () => {
    const person = await addPerson(client.o, 'other')
    await setPassword(client.o.db, client.o.org, person.id, PASSWORD, systemClock, {})
    const id = await client.o.create('Account', { Name: 'Mine' })
    const { page, open } = await client.logIn()
    await open(`/records/Account/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Account Name').fill('Still mine')
    /** Fills in the page of a log-in. */
    const logIn = async (shown: Page, username: string) => {
      await shown.getByLabel('Username').fill(username)
      await shown.getByLabel('Password').fill(PASSWORD)
      await shown.getByRole('button', { name: 'Log in' }).click()
    }
    // The browser is another user's by now, and the tokens of the page have ended.
    const other = await page.context().newPage()
    await other.goto(`${client.address}/logout`)
    await other.getByRole('button', { name: 'Log out' }).click()
    await other.getByRole('link', { name: 'Log in again' }).waitFor()
    await other.goto(`${client.address}/console/`)
    await logIn(other, 'other@objectry.test')
    await other.getByRole('navigation', { name: 'Screens' }).waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(String(request.headers().authorization))
    })
    await page.route('**/oauth2/token', (route) =>
      route.request().postData()?.includes('grant_type=refresh_token')
        ? route.fulfill({ status: 400, contentType: 'application/json', body: '{"error":"invalid_grant"}' })
        : route.continue(),
    )
    let isOver = false
    await page.route('**/sobjects/Account/**', async (route) => {
      if (isOver || route.request().method() !== 'PATCH') return route.continue()
      isOver = true
      return route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: '[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID","fields":[]}]',
      })
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Log in again' }).click()
    await page.getByText(/Somebody else is logged in to this browser now/).waitFor()
    assert.equal(sent.length, 1)
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: `Log in as ${USERNAME}` }).click(),
    ])
    await logIn(window, USERNAME)
    await page.getByRole('heading', { level: 1, name: 'Still mine' }).waitFor()
    assert.equal(sent.length, 2)
    const { body } = await client.o.call('GET', `/sobjects/Account/${id}?fields=LastModifiedById`)
    assert.equal(body.LastModifiedById, client.o.userId)
  })
})
