import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeAccounts, writeAccounts } from '../support/account-rows.sql.ts'
import { ask, fetchRecords } from '../support/ask.ts'
import { makeApp } from '../support/make-app.ts'
import { CLIENT_SECRET, openOrg, type TestOrg } from '../support/org.ts'

const TOTAL = 2100
const SMALL = { 'svc-query-options': 'batchSize=200' }
/** The pages of the first follow one another by id, those of the second are remembered lists. */
const QUERIES = ['SELECT Id, Name FROM Account', 'SELECT Id, Name FROM Account ORDER BY Name DESC']

let o: TestOrg

before(async () => {
  o = await openOrg()
  await writeAccounts(o, makeAccounts(TOTAL))
})

interface Page {
  readonly totalSize: number
  readonly done: boolean
  readonly nextRecordsUrl?: string
  readonly records: readonly { readonly Id: string; readonly Name: string }[]
}

async function pageAt(url: string): Promise<Page> {
  const { status, body, text } = await o.call('GET', url)
  assert.equal(status, 200, text)
  return body
}

async function walk(text: string, headers: Readonly<Record<string, string>> = SMALL): Promise<Page[]> {
  const first = await ask(o, text, headers)
  assert.equal(first.status, 200, first.text)
  const pages: Page[] = [first.body]
  for (let page = first.body; !page.done; pages.push(page)) page = await pageAt(page.nextRecordsUrl)
  return pages
}

const sizes = (pages: readonly Page[]) => pages.map((page) => page.records.length)
const names = (pages: readonly Page[]) => pages.flatMap((page) => page.records.map(({ Name }) => Name))

describe('the size of a page', () => {
  const sizeWith = async (headers: Readonly<Record<string, string>>) =>
    (await ask(o, 'SELECT Id FROM Account', headers)).body.records.length

  test('is 2,000 unless the client says otherwise', async () => assert.equal(await sizeWith({}), 2000))

  test('is asked for by Svc-Query-Options or its vendor-named twin, in any case', async () => {
    assert.equal(await sizeWith({ 'Svc-Query-Options': 'batchSize=250' }), 250)
    assert.equal(await sizeWith({ 'Sforce-Query-Options': 'batchSize=250' }), 250)
    assert.equal(await sizeWith({ 'sVC-query-OPTIONS': 'BATCHSIZE = 250' }), 250)
    assert.equal(await sizeWith({ 'Svc-Query-Options': 'other=1, batchSize=250; more=2' }), 250)
    const both = { 'Svc-Query-Options': 'batchSize=300', 'Sforce-Query-Options': 'batchSize=400' }
    assert.equal(await sizeWith(both), 300)
  })

  test('is at least 200 and at most 2,000', async () => {
    for (const [requested, size] of [
      [0, 200],
      [1, 200],
      [199, 200],
      [200, 200],
      [201, 201],
      [2000, 2000],
      [2001, 2000],
      [999_999_999, 2000],
    ])
      assert.equal(
        await sizeWith({ 'Svc-Query-Options': `batchSize=${requested}` }),
        size,
        `batchSize=${requested}`,
      )
  })

  test('is the usual one when what was asked for is garbage', async () => {
    for (const value of [
      '',
      'batchSize',
      'batchSize=',
      'batchSize=x',
      'batchSize=-300',
      'batchSize=2e2',
      '300',
    ])
      assert.equal(await sizeWith({ 'Svc-Query-Options': value }), 2000, value)
  })

  test('holds for all pages of a result, whatever later requests say', async () => {
    for (const text of QUERIES) {
      const first = (await ask(o, text, { 'svc-query-options': 'batchSize=700' })).body
      const next = await o.call('GET', first.nextRecordsUrl, { headers: SMALL })
      assert.equal(next.body.records.length, 700)
    }
  })
})

describe('pages', () => {
  for (const text of QUERIES) {
    test(`follow nextRecordsUrl until done and hold every record once: ${text}`, async () => {
      const pages = await walk(text)
      assert.deepEqual(sizes(pages), [...Array(10).fill(200), 100])
      for (const [i, page] of pages.entries()) {
        const last = i === pages.length - 1
        assert.equal(page.totalSize, TOTAL)
        assert.equal(page.done, last)
        const keys = ['totalSize', 'done', 'nextRecordsUrl', 'records'].filter(
          (key) => !last || key !== 'nextRecordsUrl',
        )
        assert.deepEqual(Object.keys(page), keys)
      }
      assert.deepEqual(names(pages), names(await walk(text, {})))
      assert.equal(new Set(names(pages)).size, TOTAL)
    })
  }

  test('have one locator: 18 characters that start with 0r8, and where the page starts', async () => {
    for (const text of QUERIES) {
      const urls = (await walk(text)).flatMap((page) => page.nextRecordsUrl ?? [])
      const [, id] = /^\/services\/data\/v64\.0\/query\/(0r8\w{15})-200$/.exec(urls[0]!)!
      const starts = urls.map((_, i) => `/services/data/v64.0/query/${id}-${200 * (i + 1)}`)
      assert.deepEqual(urls, starts)
    }
  })

  test('are found by the last segment of their address too, in any version', async () => {
    for (const text of QUERIES) {
      const { nextRecordsUrl } = (await ask(o, text, SMALL)).body
      const locator = nextRecordsUrl.split('/').at(-1)
      const page = await pageAt(nextRecordsUrl)
      assert.deepEqual(await pageAt(`/query/${locator}/`), page)
      const older = await pageAt(`/services/data/v50.0/query/${locator}`)
      assert.deepEqual(
        older.records.map(({ Id }) => Id),
        page.records.map(({ Id }) => Id),
      )
      assert.match(older.nextRecordsUrl!, /^\/services\/data\/v50\.0\/query\//)
    }
  })

  test('are the same when the same address is read again', async () => {
    for (const text of QUERIES) {
      const { nextRecordsUrl } = (await ask(o, text, SMALL)).body
      const page = await pageAt(nextRecordsUrl)
      const third = await pageAt(page.nextRecordsUrl!)
      assert.deepEqual(await pageAt(nextRecordsUrl), page)
      assert.deepEqual(await pageAt(page.nextRecordsUrl!), third)
      const last = (await walk(text)).at(-2)!.nextRecordsUrl!
      assert.deepEqual(await pageAt(last), await pageAt(last))
    }
  })

  test('read at once by many are the same for all', async () => {
    for (const text of QUERIES) {
      const { nextRecordsUrl } = (await ask(o, text, SMALL)).body
      const pages = await Promise.all(Array.from({ length: 8 }, () => pageAt(nextRecordsUrl)))
      for (const page of pages) assert.deepEqual(page, pages[0])
    }
  })

  test('of a LIMIT larger than a page cut the result, and totalSize with it', async () => {
    for (const text of QUERIES) {
      const pages = await walk(`${text} LIMIT 450`)
      assert.deepEqual(sizes(pages), [200, 200, 50])
      for (const page of pages) assert.equal(page.totalSize, 450)
      assert.deepEqual(names(pages), names(await walk(`${text} LIMIT 450`, {})))
    }
  })

  test('that are just full end the result', async () => {
    for (const text of QUERIES) {
      assert.deepEqual(sizes(await walk(`${text} LIMIT 200`)), [200])
      assert.deepEqual(sizes(await walk(`${text} LIMIT 400`)), [200, 200])
      assert.deepEqual(sizes(await walk(`${text} LIMIT 201`)), [200, 1])
    }
  })

  test('are one only with OFFSET: the first, done and without a locator', async () => {
    const { body } = await ask(o, 'SELECT Name FROM Account ORDER BY Name LIMIT 500 OFFSET 10', SMALL)
    assert.equal(body.done, true)
    assert.equal('nextRecordsUrl' in body, false)
    assert.equal(body.records.length, 200)
    assert.equal(body.records[0].Name, 'account 0010')
  })

  test('of a count are not there', async () => {
    const { body } = await ask(o, 'SELECT COUNT() FROM Account', SMALL)
    assert.deepEqual(body, { totalSize: TOTAL, done: true, records: [] })
  })
})

describe('an invalid locator is 400 INVALID_QUERY_LOCATOR', () => {
  const assertInvalid = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await o.call('GET', url, { headers })
    assert.equal(status, 400, url)
    assert.deepEqual(body, [
      { message: 'invalid query locator', errorCode: 'INVALID_QUERY_LOCATOR', fields: [] },
    ])
  }

  const openNext = async (text: string): Promise<string> => (await ask(o, text, SMALL)).body.nextRecordsUrl

  test('malformed', async () => {
    const locator = (await openNext(QUERIES[0]!)).split('/').at(-1)!
    const [id] = locator.split('-')
    for (const wrong of [
      'x',
      id,
      `${id}-`,
      `${id}-x`,
      `${id}--200`,
      `${id}-200-200`,
      `${id}-1e2`,
      `${id}-99999999999999999999`,
      `${locator}%20`,
      `${locator}%00`,
      `${id!.slice(0, 17)}-200`,
      `${id}'-200`,
      encodeURIComponent("' or 1=1 --"),
      'SELECT+Id+FROM+Account',
    ])
      await assertInvalid(`/query/${wrong}`)
  })

  test('unknown', async () => {
    for (const text of QUERIES) {
      const [id] = (await openNext(text)).split('/').at(-1)!.split('-')
      await assertInvalid('/query/0r8000000000001AAA-200')
      for (const start of [1, 199, 201, 2200, 999_999_999]) await assertInvalid(`/query/${id}-${start}`)
      const other = id!.endsWith('A') ? 'B' : 'A'
      await assertInvalid(`/query/${id!.slice(0, 17)}${other}-200`)
    }
  })

  test("of another user of the org, and of another org's", async () => {
    const copied = 'ProfileId, TimeZoneSidKey, LocaleSidKey, EmailEncodingKey, LanguageLocaleKey'
    const [first] = await fetchRecords(o, `SELECT ${copied} FROM User`)
    const user = { Alias: 'two', Email: 'two@objectry.test', LastName: 'Two', Username: 'two@objectry.test' }
    const runAsUserId = await o.create('User', { ...first, ...user })
    const clientId = await makeApp(o, { enableClientCredentials: true, runAsUserId }, CLIENT_SECRET)
    const granted = await o.call('POST', '/services/oauth2/token', {
      text: `grant_type=client_credentials&client_id=${clientId}&client_secret=${encodeURIComponent(CLIENT_SECRET)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const elsewhere = await openOrg()
    for (const text of QUERIES) {
      const url = await openNext(text)
      for (const token of [granted.body.access_token, elsewhere.token])
        await assertInvalid(url, { authorization: `Bearer ${token}` })
      assert.equal((await o.call('GET', url)).status, 200)
    }
  })
})

describe('a locator lives two days', () => {
  let now = new Date('2026-01-01T00:00:00Z')
  const at = (time: string) => {
    now = new Date(time)
  }

  test('from the query on, however often it is used, and is then invalid', async () => {
    const settings = { sessionSeconds: '86400' }
    const aged = await openOrg({ clock: () => now, settings })
    await writeAccounts(aged, makeAccounts(450))
    for (const text of QUERIES) {
      at('2026-01-01T00:00:00Z')
      const { nextRecordsUrl } = (await ask(aged, text, SMALL)).body
      const statusAt = async (time: string) => {
        at(time)
        return (await aged.call('GET', nextRecordsUrl)).status
      }
      assert.equal(await statusAt('2026-01-01T20:00:00Z'), 200)
      assert.equal(await statusAt('2026-01-02T16:00:00Z'), 200)
      assert.equal(await statusAt('2026-01-02T23:59:59Z'), 200)
      assert.equal(await statusAt('2026-01-03T00:00:00Z'), 400)
      const { body } = await aged.call('GET', nextRecordsUrl)
      assert.equal(body[0].errorCode, 'INVALID_QUERY_LOCATOR')
    }
  })
})
