import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

/* Queries that come at the same time are done together; no client can tell. */

let o: TestOrg
const ids: string[] = []

before(async () => {
  o = await openOrg()
  await o.deploy([SPECIMEN])
  for (let n = 0; n < 30; n++) {
    const values = { Key__c: `key ${n}`, Text__c: `text ${n % 3}`, Count__c: n }
    ids.push(await o.create('Specimen__c', values))
  }
})

const ROUNDS = 4
const AT_ONCE = 24

const query = (by: Pick<TestOrg, 'call'>, text: string) =>
  by.call('GET', `/query?q=${encodeURIComponent(text)}`)

/** Queries that come in groups, each number once in a group. */
async function askRepeatedly<T>(ask: (n: number) => Promise<T>): Promise<T[][]> {
  const rounds: T[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n))))
  }
  return rounds
}

const countsOf = ({ body }: Awaited<ReturnType<typeof query>>) =>
  body.records.map(({ Count__c }: { Count__c: number }) => Count__c)

describe('queries at the same time', () => {
  test('that differ in a value each have the records of their own value, in their own order', async () => {
    const rounds = await askRepeatedly((n) =>
      query(
        o,
        `SELECT Count__c FROM Specimen__c WHERE Count__c > ${n} AND Text__c = 'text ${n % 3}' ORDER BY Count__c DESC LIMIT 4`,
      ),
    )
    for (const answers of rounds) {
      for (const [n, answer] of answers.entries()) {
        const expected = Array.from({ length: 30 }, (_, count) => 29 - count)
          .filter((count) => count > n && count % 3 === n % 3)
          .slice(0, 4)
        assert.deepEqual(countsOf(answer), expected)
      }
    }
  })

  test('that are alike have the same records', async () => {
    const text = `SELECT Count__c FROM Specimen__c WHERE Count__c < 3 ORDER BY Count__c`
    for (const answers of await askRepeatedly(() => query(o, text))) {
      for (const answer of answers) assert.deepEqual(countsOf(answer), [0, 1, 2])
    }
  })

  test('show each caller only what that caller may see', async () => {
    const reader = await addPerson(o, 'asks-all')
    await allow(o, reader.setId, 'Specimen__c', 'Read', 'ViewAllRecords')
    const nobody = await addPerson(o, 'asks-in-vain')
    const callers = [o, reader, nobody]
    const rounds = await askRepeatedly((n) =>
      query(callers[n % 3]!, `SELECT Id FROM Specimen__c WHERE Id = '${ids[n]}'`),
    )
    for (const answers of rounds) {
      for (const [n, { status, body }] of answers.entries()) {
        if (n % 3 === 2) assert.deepEqual([status, body[0].errorCode], [400, 'INVALID_TYPE'])
        else assert.deepEqual([status, body.records[0].Id], [200, ids[n]])
      }
    }
  })

  test('about records of their owners show each owner only those', async () => {
    const people = await Promise.all(['first', 'second'].map((name) => addPerson(o, `owns-${name}`)))
    for (const { setId } of people) await allow(o, setId, 'Case', 'Read', 'Create')
    const own: string[] = []
    for (const person of people) {
      own.push((await person.call('POST', '/sobjects/Case', { body: {} })).body.id)
    }
    const rounds = await askRepeatedly((n) =>
      query(
        people[n % 2]!,
        `SELECT Id FROM Case WHERE OwnerId = '${people[n % 2]!.id}' AND Id != '${ids[n]}'`,
      ),
    )
    for (const answers of rounds) {
      for (const [n, { body }] of answers.entries()) {
        assert.deepEqual(
          body.records.map(({ Id }: { Id: string }) => Id),
          [own[n % 2]],
        )
      }
    }
  })

  test('each see what was written before they came', async () => {
    for (let n = 100; n < 110; n++) {
      const written = o
        .create('Specimen__c', { Count__c: n })
        .then(() => query(o, `SELECT Count__c FROM Specimen__c WHERE Count__c = ${n}`))
      const others = Array.from({ length: 10 }, (_, i) =>
        query(o, `SELECT Count__c FROM Specimen__c WHERE Count__c = ${i}`),
      )
      assert.deepEqual(countsOf(await written), [n])
      await Promise.all(others)
    }
  })

  test('with a value that no number column can hold are answered alone', async () => {
    const big = '9'.repeat(30)
    const rounds = await askRepeatedly((n) =>
      query(
        o,
        `SELECT Count__c FROM Specimen__c WHERE Count__c > ${n % 2 === 0 ? big : 28} AND Count__c < 30`,
      ),
    )
    for (const answers of rounds) {
      for (const [n, answer] of answers.entries()) assert.deepEqual(countsOf(answer), n % 2 === 0 ? [] : [29])
    }
  })
})

test('first pages at the same time have cursors of their own, and all records', async () => {
  const text = 'SELECT Id FROM Specimen__c'
  const headers = { 'sforce-query-options': 'batchSize=200' }
  await Promise.all(Array.from({ length: 230 }, (_, n) => o.create('Specimen__c', { Text__c: `paged ${n}` })))
  const firstPages = await Promise.all(
    Array.from({ length: 12 }, () => o.call('GET', `/query?q=${encodeURIComponent(text)}`, { headers })),
  )
  const locators = new Set(firstPages.map(({ body }) => body.nextRecordsUrl))
  assert.equal(locators.size, firstPages.length)
  for (const { body } of firstPages) {
    const next = await o.call('GET', body.nextRecordsUrl.replace(/^.*?(?=\/query)/, ''))
    const ids = [...body.records, ...next.body.records].map(({ Id }) => Id)
    assert.equal(new Set(ids).size, body.totalSize)
    assert.equal(next.body.done, true)
  }
})
