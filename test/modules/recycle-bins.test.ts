import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import { start } from '../../src/server/main.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { makeDataFolder, SECRET_KEY } from '../support/server-process.ts'

const { data, remove } = makeDataFolder()
after(remove)

const MUCH_LATER: Clock = () => new Date(Date.now() + 16 * 86_400_000)

/** A server on the folder, and calls to it. */
async function open(clock: Clock) {
  const settings = { data, port: '0', sitePort: '0', logLevel: 'silent' }
  const objectry = await start(readConfig(SECRET_KEY, settings), clock)
  const headers = {
    authorization: `Bearer ${await objectry.issueToken()}`,
    'content-type': 'application/json',
  }
  async function call(method: string, path: string, body?: object) {
    const url = `${objectry.address}/services/data/v64.0${path}`
    const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  return { call, stop: () => objectry.stop() }
}

test('A server empties recycle bins by itself, soon after its start', ON_EMBEDDED, async () => {
  const all = '/queryAll?q=SELECT+Name+FROM+Account'
  const first = await open(systemClock)
  const { id } = await first.call('POST', '/sobjects/Account', { Name: 'Acme' })
  await first.call('DELETE', `/sobjects/Account/${id}`)
  await first.stop()
  const later = await open(MUCH_LATER)
  while ((await later.call('GET', all)).totalSize > 0) await sleep(100)
  await later.stop()
})
