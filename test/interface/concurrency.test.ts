import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN, ...HIERARCHY_SCHEMA])
})

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))
const statuses = (answers: readonly Answer[]) => answers.map((answer) => answer.status).sort()
const upsert = (path: string, body: unknown) => org.call('PATCH', `/sobjects/Specimen__c/${path}`, { body })
const isThere = async (object: string, id: string) =>
  (await org.call('GET', `/sobjects/${object}/${id}`)).status === 200

describe('50 parallel upserts of one new key on a unique external id', () => {
  for (const [field, value] of [
    ['Key__c', 'race'],
    ['Exact__c', 'Race'],
    ['Numeral__c', '4711'],
  ] as const) {
    test(`leave one record, one 201 and forty-nine 200s (${field})`, async () => {
      const answers = await times(50, (i) =>
        upsert(`${field}/${value}`, { Text__c: `text ${i}`, Color__c: 'red' }),
      )
      assert.deepEqual(statuses(answers), [...Array(49).fill(200), 201])
      const [{ id }] = answers.map((answer) => answer.body) as [{ id: string }]
      for (const answer of answers) {
        assert.deepEqual(answer.body, { id, success: true, errors: [], created: answer.status === 201 })
      }
      const { status, body } = await org.call('GET', `/sobjects/Specimen__c/${field}/${value}`)
      assert.equal(status, 200)
      assert.equal(body.Id, id)
      assert.match(body.Text__c, /^text \d+$/)
      assert.equal(body.Color__c, 'Red')
    })
  }

  test('do so with an empty body, too', async () => {
    const answers = await times(50, () => upsert('Key__c/race-empty', {}))
    assert.deepEqual(statuses(answers), [...Array(49).fill(200), 201])
  })

  test('do so in upper and lower case, and when they point to one parent', async () => {
    const account = await org.create('Account', { Name: 'Acme' })
    const answers = await times(50, (i) =>
      upsert(`Key__c/${i % 2 ? 'race-case' : 'RACE-CASE'}`, { Account__c: account }),
    )
    assert.deepEqual(statuses(answers), [...Array(49).fill(200), 201])
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
  })
})

describe('parallel creates', () => {
  test('of one unique value leave one record; the others name it', async () => {
    const answers = await times(20, () =>
      org.call('POST', '/sobjects/Specimen__c', { body: { Key__c: 'first' } }),
    )
    assert.deepEqual(statuses(answers), [201, ...Array(19).fill(400)])
    const winner = answers.find((answer) => answer.status === 201)!.body.id
    const message = `duplicate value found: Key__c duplicates value on record with id: ${winner.slice(0, 15)}`
    for (const answer of answers.filter(({ status }) => status === 400)) {
      assert.deepEqual(answer.body, [{ message, errorCode: 'DUPLICATE_VALUE', fields: [] }])
    }
  })

  test('get ids of their own and numbers of their own', async () => {
    const ids = await times(100, () => org.create('Specimen__c', {}))
    assert.equal(new Set(ids).size, 100)
    const answers = await times(100, (i) =>
      org.call('GET', `/sobjects/Specimen__c/${ids[i]}?fields=Number__c`),
    )
    assert.equal(new Set(answers.map((answer) => answer.body.Number__c)).size, 100)
  })
})

describe('deleting a parent while children are written', () => {
  /** Every child is refused as pointing to a deleted record, or goes with its parent. */
  const runRace = async (write: (parent: string) => Promise<Answer>, child: string, round: number) => {
    const house = await org.create('House__c', { Name: `race ${round}` })
    const [deleted, ...written] = await Promise.all([
      org.call('DELETE', `/sobjects/House__c/${house}`),
      ...Array.from({ length: 6 }, () => write(house)),
    ])
    assert.equal(deleted.status, 204, deleted.text)
    for (const answer of written) {
      if (answer.status === 201) assert.equal(await isThere(child, answer.body.id), false)
      else assert.deepEqual([answer.status, answer.body[0].errorCode], [400, 'ENTITY_IS_DELETED'])
    }
  }

  test('leaves no detail behind', async () => {
    for (let round = 0; round < 10; round++) {
      await runRace(
        (house) => org.call('POST', '/sobjects/Room__c', { body: { House__c: house } }),
        'Room__c',
        round,
      )
    }
  })

  test('leaves no lookup to a deleted record behind', async () => {
    for (let round = 0; round < 10; round++) {
      const house = await org.create('House__c', {})
      const letter = await org.create('Letter__c', {})
      await Promise.all([
        org.call('DELETE', `/sobjects/House__c/${house}`),
        org.call('PATCH', `/sobjects/Letter__c/${letter}`, { body: { Sender__c: house } }),
      ])
      const { body } = await org.call('GET', `/sobjects/Letter__c/${letter}?fields=Sender__c`)
      assert.equal(body.Sender__c, null)
    }
  })

  test('either deletes or finds a child that forbids it, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const house = await org.create('House__c', {})
      const [deleted, leased] = await Promise.all([
        org.call('DELETE', `/sobjects/House__c/${house}`),
        org.call('POST', '/sobjects/Lease__c', { body: { House__c: house } }),
      ])
      const outcome = `${deleted.status} ${leased.status}`
      assert.ok(outcome === '204 400' || outcome === '400 201', outcome)
      assert.equal(await isThere('House__c', house), deleted.status === 400)
    }
  })
})

describe('parallel deletes of one record', () => {
  test('succeed once; the others find it deleted', async () => {
    const house = await org.create('House__c', {})
    const rooms = await times(5, () => org.create('Room__c', { House__c: house }))
    const answers = await times(10, () => org.call('DELETE', `/sobjects/House__c/${house}`))
    assert.deepEqual(statuses(answers), [204, ...Array(9).fill(404)])
    for (const room of rooms) assert.equal(await isThere('Room__c', room), false)
  })
})

describe('calls that cross each other', () => {
  test('never fail on our side: two records that point to each other, written and deleted both ways', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await org.create('House__c', {}), await org.create('House__c', {})]
      const answers = await Promise.all([
        org.call('PATCH', `/sobjects/House__c/${a}`, { body: { Annex__c: b } }),
        org.call('PATCH', `/sobjects/House__c/${b}`, { body: { Annex__c: a } }),
        org.call('DELETE', `/sobjects/House__c/${a}`),
        org.call('DELETE', `/sobjects/House__c/${b}`),
      ])
      for (const answer of answers) assert.ok(answer.status < 500, answer.text)
    }
  })
})

describe('parallel collections that upsert the same new keys, all or none', () => {
  test('all succeed: one creates the records, the others update them', async () => {
    for (let round = 0; round < 4; round++) {
      const answers = await times(12, (i) =>
        org.call('PATCH', '/composite/sobjects/Specimen__c/Key__c', {
          body: {
            allOrNone: true,
            records: Array.from({ length: 5 }, (_, n) => ({
              ...{ attributes: { type: 'Specimen__c' }, Key__c: `both-${round}-${n}`, Text__c: `call ${i}` },
            })),
          },
        }),
      )
      for (const { status, text, body } of answers) {
        assert.equal(status, 200, text)
        for (const { success } of body) assert.equal(success, true, text)
      }
      const created = answers.map(
        ({ body }) => body.filter((result: { created: boolean }) => result.created).length,
      )
      assert.deepEqual(
        created.filter((count) => count > 0),
        [5],
      )
    }
  })
})
