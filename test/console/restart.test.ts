import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { CHROMIUM_NEEDED, launchChromium } from '../support/chromium.ts'
import { runCommandProcess } from '../support/command-process.ts'
import { onPostgres } from '../support/engine.ts'
import { makeDataFolder, startServer } from '../support/server-process.ts'

const SKIPPED = onPostgres && 'a server on a data folder is enough here'

describe('a server that is killed and started again', {
  skip: SKIPPED || CHROMIUM_NEEDED.skip,
}, () => {
  const folder = makeDataFolder()
  const variables = { OBJECTRY_DATA: folder.data }
  let server: Awaited<ReturnType<typeof startServer>>
  let browser: Browser
  before(async () => {
    server = await startServer(variables)
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await server?.end('SIGTERM')
    folder.remove()
  })

  test('in the middle of an edit loses nothing that was typed, and the edit is saved then', async () => {
    const { out } = await runCommandProcess(['open', '--path', '/console/records/Account/new'], variables)
    const page = await browser.newPage()
    page.setDefaultTimeout(45_000)
    await page.goto(out.trim())
    await page.getByLabel('Account Name').fill('Typed before')
    const { port } = new URL(server.address)
    await server.end('SIGKILL')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').first().waitFor()
    assert.equal(await page.getByLabel('Account Name').inputValue(), 'Typed before')
    server = await startServer({ ...variables, PORT: port })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor()
    const { out: found } = await runCommandProcess(
      ['query', 'SELECT Name FROM Account', '--format', 'csv'],
      variables,
    )
    assert.equal(found, 'Name\r\nTyped before\r\n')
  })
})
