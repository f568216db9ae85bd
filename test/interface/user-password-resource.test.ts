import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkPassword } from '../../src/auth/users/log-in.ts'
import { findPasswordProblem } from '../../src/auth/users/password-rules.ts'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, type Person } from '../support/people.ts'

/* The passwords of the original's REST reference, which loaders of user data call. (docs/reference/api/records.md#passwords) */

let o: TestOrg
let ann: Person
let said = ''

before(async () => {
  const write = (message: unknown) => {
    said += `${JSON.stringify(message)}\n`
  }
  const log = { debug: write, info: write, warn: write, error: write } as never
  o = await openOrg({ log, settings: { logLevel: 'debug' } })
  ann = await addPerson(o, 'ann')
})

const pathOf = (id: string) => `/sobjects/User/${id}/password`

const logIn = (password: string) =>
  checkPassword(
    { ...o.services, settings: o.services.config, address: '192.0.2.1' },
    o.org,
    'ann@objectry.test',
    password,
  )

/** A token of a user that is stored, as those of clients are. */
const issue = (userId: string) =>
  o.services.sessions.issue({
    ...{ org: o.org, clientId: o.clientId, userId },
    scopes: ['api'],
    grantType: 'test',
  })

const readAs = async (token: string) =>
  (await o.call('GET', '/sobjects', { headers: { authorization: `Bearer ${token}` } })).status

describe('the password of a user', () => {
  test('is set by those who manage users, and ends the access of the user', async () => {
    const token = await issue(ann.id)
    assert.equal(await readAs(token), 200)
    const body = { NewPassword: 'Tall-Oak-Seeds-1' }
    const answer = await o.call('POST', pathOf(ann.id), { body })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.ok('user' in (await logIn('Tall-Oak-Seeds-1')))
    assert.deepEqual((await o.call('GET', pathOf(ann.id))).body, { isExpired: false })
    assert.equal((await o.call('HEAD', pathOf(ann.id))).status, 200)
    assert.equal(await readAs(token), 401)
  })

  test('is set by the user, whose token of the call goes on', async () => {
    const [token, other] = [await issue(ann.id), await issue(ann.id)]
    const headers = { authorization: `Bearer ${token}` }
    const body = { NewPassword: 'Small-Ash-Seeds-2' }
    assert.equal((await o.call('POST', pathOf(ann.id), { body, headers })).status, 204)
    assert.ok('user' in (await logIn('Small-Ash-Seeds-2')))
    assert.deepEqual([await readAs(token), await readAs(other)], [200, 401])
  })

  test('is made by DELETE, and has to be changed then', async () => {
    const { status, body } = await o.call('DELETE', pathOf(ann.id))
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['NewPassword'])
    assert.equal(findPasswordProblem(body.NewPassword, 'ann@objectry.test'), undefined)
    assert.ok('user' in (await logIn(body.NewPassword)))
    assert.deepEqual((await ann.call('GET', pathOf(ann.id))).body, { isExpired: true })
    assert.ok(!said.includes(body.NewPassword))
  })

  test('keeps the rules, and is one text', async () => {
    for (const NewPassword of ['short', 'password1', 'ann@objectry.test', 'x'.repeat(201)]) {
      const answer = await o.call('POST', pathOf(ann.id), { body: { NewPassword } })
      assertRefused(answer, 400, 'INVALID_NEW_PASSWORD', /^The password /)
    }
    for (const half of ['\\ud800', '\\udc00']) {
      const answer = await o.call('POST', pathOf(ann.id), { text: `{"NewPassword":"${half}abcd1234efgh"}` })
      assertRefused(answer, 400, 'INVALID_NEW_PASSWORD', /^Half of a character/)
    }
    for (const body of [
      {},
      { NewPassword: 12345678 },
      { NewPassword: 'Tall-Oak-Seeds-1', id: 'x' },
      [],
      null,
    ]) {
      const { status, text } = await o.call('POST', pathOf(ann.id), { body })
      assert.equal(status, 400, text)
    }
  })

  test('is nobody else’s', async () => {
    const body = { NewPassword: 'Tall-Oak-Seeds-1' }
    const message = 'You do not have permission to view this record.'
    for (const method of ['GET', 'POST', 'DELETE']) {
      const sent = method === 'POST' ? { body } : {}
      assertRefused(await ann.call(method, pathOf(o.userId), sent), 403, 'INSUFFICIENT_ACCESS', message)
      const nobody = pathOf('005000000000001AAA')
      assertRefused(await o.call(method, nobody, sent), 404, 'NOT_FOUND', NO_RESOURCE)
    }
    const found = await o.call('GET', "/query?q=SELECT+Id+FROM+User+WHERE+UserType='Guest'")
    const guest = pathOf(found.body.records[0].Id)
    assertRefused(await o.call('POST', guest, { body }), 400, 'INVALID_INPUT', /guest user/)
    assert.equal((await o.call('PATCH', pathOf(ann.id), { body })).status, 405)
  })

  test('is in no reply and no reference of another call, and in no log line', async () => {
    const url = `/services/data/v64.0${pathOf(ann.id)}`
    const steps = [{ method: 'DELETE', url, referenceId: 'a' }]
    const composite = await o.call('POST', '/composite', { body: { compositeRequest: steps } })
    assert.equal(composite.body.compositeResponse[0].httpStatusCode, 400, composite.text)
    const batch = await o.call('POST', '/composite/batch', {
      body: { batchRequests: [{ method: 'GET', url }] },
    })
    assert.equal(batch.body.results[0].statusCode, 400, batch.text)
    assert.doesNotMatch(said, /-Seeds-/)
  })
})
