import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHROMIUM_NEEDED } from '../support/chromium.ts'
import { type ConsoleClient, openConsoleClient } from '../support/console-client.ts'
import { deploy } from '../support/deploying.ts'

const FIELDS = 500

/** Notes which inputs have their value read: React does so of each input that it draws again. */
const NOTE_READS = `
  globalThis.inputsRead = new Set()
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
  Object.defineProperty(HTMLInputElement.prototype, 'value', {
    configurable: true,
    enumerable: true,
    get() {
      globalThis.inputsRead.add(this)
      return get.call(this)
    },
    set,
  })
`

describe('a form of 500 fields in the console', CHROMIUM_NEEDED, () => {
  let client: ConsoleClient
  before(async () => {
    client = await openConsoleClient()
    const fields = Object.fromEntries(
      Array.from({ length: FIELDS }, (_, index) => [
        `Field${index}__c`,
        { type: 'string', length: 80, label: `Field ${index}` },
      ]),
    )
    const wide = { label: 'Wide', labelPlural: 'Wide things', fields }
    const { status, text } = await deploy(client.o, { Wide__c: wide } as never)
    assert.equal(status, 200, text.slice(0, 1000))
  })
  after(() => client?.close())

  test('draws for a key only the field that is typed into', async () => {
    const { page, open, assertQuiet } = await client.logIn()
    await page.addInitScript(NOTE_READS)
    await open('/records/Wide__c/new')
    const input = page.getByLabel('Field 250', { exact: true })
    await input.focus()
    await page.evaluate('inputsRead.clear()')
    await page.keyboard.type('typed')
    assert.equal(await input.inputValue(), 'typed')
    const drawn = await page.evaluate<number>('inputsRead.size')
    assert.ok(drawn < 10, `${drawn} inputs were drawn again`)
    assertQuiet()
  })
})
