import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ownEngine } from '../support/engine.ts'
import { type Answer, openOrg, type Sent, type TestOrg } from '../support/org.ts'

/* Orgs of one server whose definitions are the same. */

type Call = (method: string, path: string, sent?: Sent) => Promise<Answer>

let o: TestOrg
let orgs: Readonly<Record<string, Call>>

const ACCOUNT = { name: 'Account', label: 'Account', labelPlural: 'Accounts', keyPrefix: '001' }

before(async () => {
  o = await openOrg({ engine: await ownEngine() })
  const key = {
    name: 'Key__c',
    label: 'Key',
    type: 'string',
    length: 40,
    externalId: true,
    unique: true,
  } as const
  await o.deploy([{ ...ACCOUNT, fields: [key] }])
  const made: Record<string, Call> = { First: o.call }
  for (const name of ['Second', 'Third']) {
    const { status, text } = await o.call('POST', '/setup/orgs', { body: { name, copyOf: 'current' } })
    assert.equal(status, 201, text)
    const { body } = await o.call('POST', `/setup/orgs/${name}/token`)
    const headers = { authorization: `Bearer ${body.token}` }
    made[name] = (method, path, sent) => o.call(method, path, { ...sent, headers })
  }
  orgs = made
})

async function query(call: Call, text: string): Promise<Record<string, unknown>[]> {
  const { status, body, text: answer } = await call('GET', `/query?q=${encodeURIComponent(text)}`)
  assert.equal(status, 200, answer)
  return body.records
}

const names = async (call: Call) =>
  (await query(call, 'SELECT Name FROM Account ORDER BY Key__c')).map(({ Name }) => Name)

/** The same work in all orgs at once, so that what one server puts together is put together. */
const inEach = (work: (call: Call, name: string) => Promise<unknown>) =>
  Promise.all(Object.entries(orgs).map(([name, call]) => work(call, name)))

describe('orgs with the same definitions', () => {
  test('writes of every kind reach the org of the caller', async () => {
    const ok = async (answer: Promise<Answer>) => {
      const { status, text, body } = await answer
      assert.ok(status < 300, text)
      return body
    }
    const record = (name: string, key: string) => ({ Name: `${name} ${key}`, Key__c: key })
    await inEach(async (call, name) => {
      const { id } = await ok(call('POST', '/sobjects/Account', { body: record(name, 'a') }))
      await ok(call('PATCH', `/sobjects/Account/${id}`, { body: { Name: `${name} changed` } }))
      for (const step of ['made', 'changed'])
        await ok(call('PATCH', '/sobjects/Account/Key__c/b', { body: { Name: `${name} ${step}` } }))
      const attributes = { type: 'Account' }
      const records = ['c', 'd'].map((key) => ({ attributes, ...record(name, key) }))
      await ok(call('POST', '/composite/sobjects', { body: { records } }))
      await ok(
        call('PATCH', '/composite/sobjects/Account/Key__c', {
          body: { records: ['d', 'e'].map((key) => ({ attributes, Name: `${name} upserted`, Key__c: key })) },
        }),
      )
      const compositeRequest = ['f', 'g'].map((key) => ({
        method: 'POST',
        url: '/services/data/v64.0/sobjects/Account',
        referenceId: key,
        body: record(name, key),
      }))
      await ok(call('POST', '/composite', { body: { allOrNone: true, compositeRequest } }))
      const [gone] = await query(call, `SELECT Id FROM Account WHERE Key__c = 'g'`)
      await ok(call('DELETE', `/sobjects/Account/${gone!.Id}`))
    })
    await inEach(async (call, name) =>
      assert.deepEqual(
        await names(call),
        ['changed', 'changed', 'c', 'upserted', 'upserted', 'f'].map((end) => `${name} ${end}`),
      ),
    )
  })

  test('reads by id, by key and by GraphQL find the records of the org of the caller', async () => {
    await inEach(async (call, name) => {
      const { body } = await call('GET', '/sobjects/Account/Key__c/a?fields=Id,Name')
      assert.equal(body.Name, `${name} changed`)
      assert.equal((await call('GET', `/sobjects/Account/${body.Id}`)).body.Name, `${name} changed`)
      const document = '{ uiapi { query { Account { edges { node { Name { value } } } } } } }'
      const { body: found } = await call('POST', '/graphql', { body: { query: document } })
      for (const { node } of found.data.uiapi.query.Account.edges)
        assert.ok(node.Name.value.startsWith(name), node.Name.value)
    })
  })

  test('a deployment changes the org that it is for', async () => {
    await o.deploy([{ ...ACCOUNT, fields: [{ name: 'Own__c', label: 'Own', type: 'string', length: 10 }] }])
    const has = async (call: Call) =>
      (await call('GET', '/sobjects/Account/describe')).body.fields.some(
        ({ name }: { name: string }) => name === 'Own__c',
      )
    assert.deepEqual(await inEach(has), [true, false, false])
    await inEach(async (call, name) => {
      const { status } = await call('POST', '/sobjects/Account', { body: { Name: 'x', Own__c: 'x' } })
      assert.equal(status, name === 'First' ? 201 : 400)
    })
  })
})
