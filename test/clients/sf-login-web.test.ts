import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { setPassword } from '../../src/auth/users/passwords.ts'
import { systemClock } from '../../src/base/clock.ts'
import { sql } from '../../src/base/sql.ts'
import { PASSWORD, USERNAME } from '../support/browser-client.ts'
import { CHROMIUM_NEEDED, launchChromium } from '../support/chromium.ts'
import { openSfClient, SF_NEEDED, type SfClient } from '../support/sf.ts'

/* `sf org login web` of the registry, unmodified, with a person in Chromium: `npm run test:sf`. */

const NEEDED = { skip: SF_NEEDED.skip || CHROMIUM_NEEDED.skip }

/** How long the command may take to open a browser, in milliseconds. */
const PATIENCE = 60_000

describe('sf org login web', NEEDED, () => {
  let client: SfClient
  let browser: Browser

  before(async () => {
    client = await openSfClient()
    const { o } = client
    // The command's own client belongs to every org, so the host says which one is meant.
    await o.db.query(sql`update objectry.org set host = 'localhost' where id = ${o.org.id}`)
    await setPassword(o.db, o.org, o.userId, PASSWORD, systemClock)
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await client.o.db.query(sql`update objectry.org set host = null where id = ${client.o.org.id}`)
    await client.close()
  })

  async function addressToOpen(): Promise<string> {
    const file = client.sf.path('opened')
    for (let waited = 0; waited < PATIENCE; waited += 100) {
      const address = existsSync(file) ? client.sf.read('opened') : ''
      if (address !== '') return address
      await sleep(100)
    }
    throw new Error('the command opened no browser')
  }

  test('signs a person in, and asks for another token when that one has ended', async () => {
    const { sf, o, address } = client
    const instance = address.replace('127.0.0.1', 'localhost')
    const signIn = sf.run('org', 'login', 'web', '--instance-url', instance, '--alias', 'person')
    const page = await browser.newPage()
    await page.goto(await addressToOpen())
    await page.getByLabel('Username').fill(USERNAME)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    const { code, out, error } = await signIn
    assert.equal(code, 0, out + error)
    const ask = () => sf.run('data', 'query', '-o', 'person', '-q', 'SELECT Username FROM User')
    assert.match((await ask()).out, /admin@objectry\.test/)
    await o.db.query(
      sql`delete from objectry.session where org_id = ${o.org.id} and client_id = 'PlatformCLI'`,
    )
    const again = await ask()
    assert.match(again.out, /admin@objectry\.test/, again.error)
  })
})
