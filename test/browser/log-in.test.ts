import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startDevice } from '../../src/auth/tokens/device-codes.ts'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { PASSWORD, pkce, USERNAME } from '../support/browser-client.ts'
import {
  CHROMIUM_NEEDED,
  type ChromiumClient,
  openCallbackServer,
  openChromiumClient,
  takePicture,
} from '../support/chromium.ts'
import { createUser } from '../support/create-user.ts'

/* The pages as people see them: in Chromium, over a real port. */

describe('in a browser', CHROMIUM_NEEDED, () => {
  let client: ChromiumClient
  let clientId: string

  before(async () => {
    client = await openChromiumClient()
    clientId = await client.o.app({
      scopes: ['api', 'refresh_token'],
      callbackUrls: [`${client.callback.address}/callback`],
      enableDeviceFlow: true,
    })
  })
  after(() => client?.close())

  const authorizeAddress = (more: Record<string, string> = {}) => {
    const redirect_uri = `${client.callback.address}/callback`
    const parameters = { response_type: 'code', client_id: clientId, redirect_uri, state: 'é +&', ...more }
    return `${client.address}/services/oauth2/authorize?${new URLSearchParams(parameters)}`
  }

  async function logIn(page: Page, password = PASSWORD, username = USERNAME): Promise<void> {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

  /** The last parameters that the callback got. */
  const reported = () =>
    Object.fromEntries(new URL(client.callback.came.at(-1)!, client.callback.address).searchParams)

  test('a user logs in, allows an app, and the app gets code and state', async () => {
    const { page, complaints } = await client.open()
    await page.goto(authorizeAddress({ code_challenge: pkce().challenge }))
    assert.equal(await heading(page), 'Log in')
    await logIn(page)
    assert.equal(await heading(page), 'Allow access?')
    assert.ok(await page.getByText('Read and change your data').isVisible())
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${client.callback.address}/**`)
    assert.equal(await heading(page), 'Back in the app')
    assert.equal(reported().state, 'é +&')
    assert.match(reported().code!, /^aPrx/)
    // The second time the log-in alone leads there, and a log-in that is still good needs no page at all.
    await page.goto(authorizeAddress({ prompt: 'login', state: 'second' }))
    await logIn(page)
    await page.waitForURL(`${client.callback.address}/**`)
    assert.equal(reported().state, 'second')
    await page.goto(authorizeAddress({ state: 'third' }))
    assert.equal(reported().state, 'third')
    assert.deepEqual(complaints, [])
  })

  test('a user denies, and the app gets the error', async () => {
    const { page, complaints } = await client.open()
    await page.goto(authorizeAddress({ prompt: 'consent' }))
    await logIn(page)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(`${client.callback.address}/**`)
    const { error, error_description } = reported()
    assert.deepEqual([error, error_description], ['access_denied', 'end-user denied authorization'])
    assert.deepEqual(complaints, [])
  })

  test('a wrong password shows a message that is tied to the field; then the right one works', async () => {
    const { page } = await client.open()
    await page.goto(`${client.address}/login`)
    await logIn(page, 'wrong')
    const alert = page.getByRole('alert')
    assert.match((await alert.textContent())!, /^\s*Username or password is wrong\./)
    const id = await page.getByLabel('Password').getAttribute('aria-describedby')
    assert.equal(await alert.getAttribute('id'), id)
    assert.equal(await page.getByLabel('Username').inputValue(), USERNAME)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    assert.equal(await heading(page), 'You are logged in')
  })

  test('a user connects a device', async () => {
    const { o } = client
    const { userCode } = await startDevice(o.db, systemClock, { clientId, org: o.org, scopes: ['api'] })
    const { page, complaints } = await client.open()
    await page.goto(`${client.address}/setup/connect?user_code=${userCode}`)
    await logIn(page)
    assert.equal(await page.getByLabel('Code').inputValue(), userCode)
    await page.getByRole('button', { name: 'Continue' }).click()
    assert.equal(await heading(page), 'Allow access?')
    await page.getByRole('button', { name: 'Allow' }).click()
    assert.equal(await heading(page), 'Device connected')
    assert.deepEqual(complaints, [])
  })

  test('a user with a password for once chooses another one on the way to an app', async () => {
    const { o } = client
    const id = await createUser(o, 'newcomer')
    await setPassword(o.db, o.org, id, PASSWORD, systemClock, { mustChange: true })
    const { page, complaints } = await client.open()
    await page.goto(authorizeAddress())
    await logIn(page, PASSWORD, 'newcomer@objectry.test')
    assert.equal(await heading(page), 'Change your password')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password', { exact: true }).fill('a password of my own')
    await page.getByLabel('New password again').fill('a password of my own')
    await page.getByRole('button', { name: 'Change password' }).click()
    assert.equal(await heading(page), 'Allow access?')
    assert.deepEqual(complaints, [])
  })

  test('a user logs out', async () => {
    const { page, complaints } = await client.open()
    await page.goto(`${client.address}/login`)
    await logIn(page)
    await page.getByRole('link', { name: 'Log out' }).click()
    assert.equal(await heading(page), 'Log out?')
    await page.getByRole('button', { name: 'Log out' }).click()
    assert.equal(await heading(page), 'You are logged out')
    await page.goto(`${client.address}/login`)
    assert.equal(await heading(page), 'Log in')
    assert.deepEqual(complaints, [])
  })

  test('all of it works with the keyboard alone, and where the focus is can be seen', async () => {
    const { page } = await client.open()
    await page.goto(authorizeAddress({ prompt: 'consent' }))
    // The first field gets the focus by itself.
    await page.locator('#username:focus').waitFor()
    await page.keyboard.type(USERNAME)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/authorize?**')
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    assert.equal(await focused.textContent(), 'Allow')
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineWidth')
    assert.equal(outline, '3px')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${client.callback.address}/**`)
    assert.ok(reported().code)
  })

  test('all of it works where scripts are switched off', async () => {
    const { page } = await client.open({ javaScriptEnabled: false })
    await page.goto(authorizeAddress({ prompt: 'consent' }))
    await logIn(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${client.callback.address}/**`)
    assert.ok(reported().code)
  })

  test('who prefers dark gets dark', async () => {
    const [light, dark] = await Promise.all(
      (['light', 'dark'] as const).map(async (colorScheme) => {
        const { page } = await client.open({ colorScheme })
        await page.goto(`${client.address}/login`)
        const environment = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
        const [red, green, blue] = environment.match(/\d+/g)!.map(Number) as [number, number, number]
        return { picture: await takePicture(page), brightness: (red + green + blue) / 3 }
      }),
    )
    assert.ok(!light!.picture.equals(dark!.picture))
    assert.ok(light!.brightness > 200 && dark!.brightness < 60)
  })

  test('nothing is cut off on a narrow screen, or at 200 percent', async () => {
    const { page } = await client.open({ viewport: { width: 320, height: 560 } })
    for (const path of ['/login', '/setup/connect', '/change-password', '/logout']) {
      await page.goto(client.address + path)
      if ((await heading(page)) === 'Log in' && path !== '/login') await logIn(page)
      const [content, window] = await page.evaluate<number[]>(
        '[document.documentElement.scrollWidth, innerWidth]',
      )
      assert.ok(content! <= window!, `${path}: ${content} > ${window}`)
    }
  })

  test('attack: clickjacking: a page in a frame of another site is not shown', async () => {
    const thief = await openCallbackServer(`<iframe src="${client.address}/login"></iframe>`)
    try {
      const { page, complaints } = await client.open()
      await page.goto(thief.address)
      const frame = page.frames()[1]!
      assert.equal(await frame.getByLabel('Password').count(), 0)
      assert.match(complaints.join('\n'), /frame-ancestors|X-Frame-Options/)
    } finally {
      await thief.close()
    }
  })

  test('attack: a form of another site neither logs out nor lets an app in', async () => {
    const action = authorizeAddress({ prompt: 'consent' })
    const forms = [
      `<form id="a" method="post" action="${client.address}/logout"></form>`,
      `<form id="b" method="post" action="${action.replaceAll('&', '&amp;')}"><input name="decision" value="approve"></form>`,
    ]
    const thief = await openCallbackServer(
      `${forms.join('')}<button form="a">A</button><button form="b">B</button>`,
    )
    try {
      const { page } = await client.open()
      await page.goto(`${client.address}/login`)
      await logIn(page)
      assert.equal(await heading(page), 'You are logged in')
      for (const name of ['A', 'B']) {
        await page.goto(thief.address)
        await page.getByRole('button', { name }).click()
        await page.waitForURL(`${client.address}/**`)
        assert.equal(await heading(page), 'This form came from another site')
      }
      await page.goto(`${client.address}/login`)
      assert.equal(await heading(page), 'You are logged in')
    } finally {
      await thief.close()
    }
  })
})
