import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { onPostgres } from '../support/engine.ts'
import { whileAccountIsLocked } from '../support/locked-account.sql.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { runs } from '../support/runs.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

/* Calls on single records that come at the same time are done together; no client can tell. */

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy([SPECIMEN])
})

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))

const MANY = 60

const read = (by: Pick<TestOrg, 'call'>, id: string, fields = 'Name') =>
  by.call('GET', `/sobjects/Account/${id}?fields=${fields}`)

describe('reads at the same time', () => {
  test('each get their own record with the fields they asked for', async () => {
    const ids = await times(MANY, (n) => o.create('Account', { Name: `read ${n}`, Phone: `${n}` }))
    const answers = await times(MANY * 2, (n) => read(o, ids[n % MANY]!, n % 3 === 0 ? 'Phone' : 'Name'))
    for (const [n, { status, body }] of answers.entries()) {
      assert.equal(status, 200)
      assert.equal(body.Id, ids[n % MANY])
      if (n % 3 === 0) assert.equal(body.Phone, `${n % MANY}`)
      else assert.equal(body.Name, `read ${n % MANY}`)
    }
  })

  test('find what is there, and nothing for records that are deleted or never were', async () => {
    const ids = await times(20, (n) => o.create('Account', { Name: `found ${n}` }))
    for (const id of ids.slice(0, 10)) await o.call('DELETE', `/sobjects/Account/${id}`)
    const never = `${ids[0]!.slice(0, 3)}9zzzzzzzzzzzAAA`.slice(0, 18)
    const answers = await times(40, (n) => read(o, n < 20 ? ids[n]! : never))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(10).fill(404), ...Array(10).fill(200), ...Array(20).fill(404)],
    )
  })

  test('show each caller only what that caller may see', async () => {
    const reader = await addPerson(o, 'reads')
    await allow(o, reader.setId, 'Specimen__c', 'Read', 'ViewAllRecords')
    const nobody = await addPerson(o, 'sees-nothing')
    const id = await o.create('Specimen__c', {})
    const path = `/sobjects/Specimen__c/${id}?fields=Id`
    const callers = [o, reader, nobody]
    const answers = await times(30, (n) => callers[n % 3]!.call('GET', path))
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill([200, 200, 404]).flat(),
    )
  })
})

describe('creates at the same time', () => {
  test('each have their own outcome: one that is refused takes no other with it', async () => {
    const taken = await o.create('Specimen__c', { Key__c: 'taken' })
    const bodies = [
      (n: number) => ({ Key__c: `own ${n}`, Text__c: `text ${n}` }),
      () => ({ Key__c: 'taken' }),
      () => ({ Size__c: 'no such size' }),
      (n: number) => ({ Count__c: n }),
    ]
    const answers = await times(MANY, (n) =>
      o.call('POST', '/sobjects/Specimen__c', { body: bodies[n % 4]!(n) }),
    )
    for (const [n, { status, body }] of answers.entries()) {
      if (n % 4 === 1) {
        const message = `duplicate value found: Key__c duplicates value on record with id: ${taken.slice(0, 15)}`
        assert.deepEqual([status, body], [400, [{ message, errorCode: 'DUPLICATE_VALUE', fields: [] }]])
      } else if (n % 4 === 2) {
        assert.deepEqual([status, body[0].errorCode], [400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST'])
      } else {
        assert.equal(status, 201)
        const stored = (await o.call('GET', `/sobjects/Specimen__c/${body.id}`)).body
        if (n % 4 === 0) assert.deepEqual([stored.Key__c, stored.Text__c], [`own ${n}`, `text ${n}`])
        else assert.deepEqual([stored.Count__c, stored.Text__c], [n, null])
      }
    }
  })

  test('give a record without a value the default of its field, whatever the others have', async () => {
    const answers = await times(30, (n) =>
      o.call('POST', '/sobjects/Specimen__c', {
        body: n % 2 === 0 ? { Raised__c: false, Size__c: 'L' } : {},
      }),
    )
    for (const [n, { body }] of answers.entries()) {
      const { Raised__c, Size__c, Flag__c } = (await o.call('GET', `/sobjects/Specimen__c/${body.id}`)).body
      assert.deepEqual([Raised__c, Size__c, Flag__c], n % 2 === 0 ? [false, 'L', false] : [true, 'M', false])
    }
  })

  test('belong to the user who made each of them', async () => {
    const people = await Promise.all(['first', 'second'].map((name) => addPerson(o, `creates-${name}`)))
    for (const { setId } of people) await allow(o, setId, 'Account', 'Read', 'Create')
    const answers = await times(40, (n) =>
      people[n % 2]!.call('POST', '/sobjects/Account', { body: { Name: `by ${n % 2}` } }),
    )
    for (const [n, { status, body, text }] of answers.entries()) {
      assert.equal(status, 201, text)
      const { CreatedById, OwnerId } = (await read(o, body.id, 'CreatedById,OwnerId')).body
      assert.deepEqual([CreatedById, OwnerId], [people[n % 2]!.id, people[n % 2]!.id])
    }
  })
})

describe('updates at the same time', () => {
  test('of one record all take effect, each on its own fields', async () => {
    const id = await o.create('Account', { Name: 'shared' })
    const bodies = [{ Phone: '1' }, { Fax: '2' }, { Site: '3' }, { Phone: '1', Website: '4' }]
    const answers = await times(MANY, (n) =>
      o.call('PATCH', `/sobjects/Account/${id}`, { body: bodies[n % 4] }),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
    const { Phone, Fax, Site, Website } = (await read(o, id, 'Phone,Fax,Site,Website')).body
    assert.deepEqual([Phone, Fax, Site, Website], ['1', '2', '3', '4'])
  })

  test('find the records that are deleted or missing, and change the others', async () => {
    const ids = await times(30, (n) => o.create('Account', { Name: `update ${n}` }))
    for (const id of ids.slice(0, 10)) await o.call('DELETE', `/sobjects/Account/${id}`)
    const answers = await times(30, (n) =>
      o.call('PATCH', `/sobjects/Account/${ids[n]}`, { body: { Name: `changed ${n}` } }),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(10).fill(404), ...Array(20).fill(204)],
    )
    for (let n = 10; n < 30; n++) assert.equal((await read(o, ids[n]!)).body.Name, `changed ${n}`)
  })

  test('do not wait for a record that somebody else has locked', {
    skip: !onPostgres && 'the embedded engine has one connection',
  }, async () => {
    const ids = await times(20, (n) => o.create('Account', { Name: `free ${n}` }))
    const [held, ...others] = ids as [string, ...string[]]
    const change = (id: string) => o.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'changed' } })
    let waiting: Promise<Answer> | undefined
    await whileAccountIsLocked(o, held, async () => {
      const first = change(others[0]!)
      waiting = change(held)
      const answers = await Promise.all([first, ...others.slice(1).map(change)])
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
    })
    assert.equal((await waiting!).status, 204)
  })
})

test('calls at the same time have the outcome of some order of them', async () => {
  const ids = await times(3, (n) => o.create('Account', { Name: `start ${n}` }))
  const operation = fc.record({
    kind: fc.constantFrom('read', 'update', 'create', 'upsert'),
    record: fc.nat({ max: 2 }),
    key: fc.nat({ max: 3 }),
  })
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 30 }), async (operations) => {
      round++
      const before = await Promise.all(ids.map(async (id) => (await read(o, id)).body.Name))
      const answers = await Promise.all(
        operations.map(({ kind, record, key }, n) => {
          const path = `/sobjects/Account/${ids[record]}`
          if (kind === 'read') return read(o, ids[record]!)
          if (kind === 'update') return o.call('PATCH', path, { body: { Name: `${round}.${n}` } })
          const Key__c = `${round}-${key}`
          if (kind === 'create') return o.call('POST', '/sobjects/Specimen__c', { body: { Key__c } })
          return o.call('PATCH', `/sobjects/Specimen__c/Key__c/${Key__c}`, { body: { Count__c: n } })
        }),
      )
      const written = (record: number) =>
        operations.flatMap((one, n) =>
          one.kind === 'update' && one.record === record ? [`${round}.${n}`] : [],
        )
      for (const [n, { kind, record }] of operations.entries()) {
        const { status, body, text } = answers[n]!
        if (kind === 'update') assert.equal(status, 204, text)
        if (kind === 'upsert') assert.ok(status === 200 || status === 201, text)
        if (kind === 'create') assert.ok(status === 201 || body[0].errorCode === 'DUPLICATE_VALUE', text)
        if (kind === 'read') assert.ok([before[record], ...written(record)].includes(body.Name), text)
      }
      for (const [record, id] of ids.entries()) {
        const { Name } = (await read(o, id)).body
        const last = written(record)
        assert.ok(last.length === 0 ? Name === before[record] : last.includes(Name), Name)
      }
      for (let key = 0; key <= 3; key++) {
        const creates = operations.flatMap((one, n) =>
          one.key === key && (one.kind === 'create' || one.kind === 'upsert') ? [answers[n]!.status] : [],
        )
        assert.equal(creates.filter((status) => status === 201).length, creates.length > 0 ? 1 : 0)
      }
    }),
    { numRuns: runs(15) },
  )
})
