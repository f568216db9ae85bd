import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { ask } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const SMALL = { 'svc-query-options': 'batchSize=200' }
/** Its matches are stored as a list. */
const LIST = 'SELECT Id FROM Account ORDER BY Name DESC'
/** Its pages follow one another by id. */
const BY_ID = 'SELECT Id FROM Account'
/** Stored, the ids of all accounts take about 100,000 bytes, so a megabyte is enough for ten such results. */
const RECORDS = 4000
const HOUR_MS = 3_600_000

async function openSmall(megabytes: string): Promise<{ o: TestOrg; wait: (ms: number) => void }> {
  let ahead = 0
  const clock = () => new Date(systemClock().getTime() + ahead)
  const o = await openOrg({
    clock,
    settings: { resultStorageMegabytes: megabytes, sessionSeconds: '86400' },
  })
  return {
    o,
    wait: (ms) => {
      ahead += ms
    },
  }
}

/** Opens results until one is refused; the addresses of the second pages. */
async function fill(o: TestOrg): Promise<string[]> {
  const urls: string[] = []
  for (let n = 0; n < 30; n++) {
    const { status, body, text } = await ask(o, LIST, SMALL)
    if (status !== 200) {
      assert.equal(status, 400, text)
      assert.equal(body[0].errorCode, 'STORAGE_LIMIT_EXCEEDED')
      return urls
    }
    urls.push(body.nextRecordsUrl)
  }
  return assert.fail('no result was refused')
}

describe('results that are stored for further pages', () => {
  test('are refused beyond the storage of the org, and none is dropped for another one', async () => {
    const { o } = await openSmall('1')
    await writeAccounts(o, makeAccounts(RECORDS))
    const urls = await fill(o)
    assert.equal(urls.length, 10)
    for (const url of urls) assert.equal((await o.call('GET', url)).body.records.length, 200)
    assert.equal((await ask(o, `${LIST} LIMIT 200`, SMALL)).status, 200)
  })

  test('make room when they expire', async () => {
    const { o, wait } = await openSmall('1')
    await writeAccounts(o, makeAccounts(RECORDS))
    const urls = await fill(o)
    // The session ends without a call in 24 hours.
    for (const _ of ['to 20', 'to 40', 'to 60']) {
      wait(20 * HOUR_MS)
      assert.equal((await o.call('GET', '/sobjects')).status, 200)
    }
    const after = await fill(o)
    assert.equal(after.length, urls.length)
  })

  test('are counted however their pages are found, and those of child records too', async () => {
    const { o } = await openSmall('0')
    await writeAccounts(o, makeAccounts(600))
    const [parent] = (await ask(o, 'SELECT Id FROM Account LIMIT 1')).body.records
    await writeAccounts(
      o,
      makeAccounts(600).map((row) => (row.id === parent.Id ? row : { ...row, parentId: parent.Id })),
    )
    for (const query of [LIST, BY_ID]) {
      assertRefused(await ask(o, query, SMALL), 400, 'STORAGE_LIMIT_EXCEEDED', /storage limit exceeded/)
    }
    const children = `SELECT Id, (SELECT Id FROM ChildAccounts) FROM Account WHERE Id = '${parent.Id}'`
    assertRefused(await ask(o, children), 400, 'STORAGE_LIMIT_EXCEEDED', /storage limit exceeded/)
  })
})
