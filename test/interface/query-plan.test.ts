import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'

/* How the database would run a query. (docs/reference/api/admin-api.md#plans) */

const PLAN = '/setup/orgs/current/plan'

test('an administrator sees the SQL of a query and the plan of the database, without its values', async () => {
  const o = await openOrg()
  const query = "SELECT Name, (SELECT LastName FROM Contacts) FROM Account WHERE Name = 'a value'"
  const { status, body } = await o.call('POST', PLAN, { body: { query } })
  assert.equal(status, 200)
  assert.match(body.sql, /select .* from .*account/is)
  assert.ok(!body.sql.includes('a value'))
  assert.equal(typeof body.plan[0].Plan['Node Type'], 'string')
  assert.ok(body.plan[0].Plan['Total Cost'] > 0)
})

test('a query that would be refused is refused, and so is who is no administrator', async () => {
  const o = await openOrg()
  for (const [query, code] of [
    ['SELECT Nothing FROM Account', 'INVALID_FIELD'],
    ['SELECT', 'MALFORMED_QUERY'],
    ['', 'MALFORMED_QUERY'],
  ]) {
    const { status, body } = await o.call('POST', PLAN, { body: { query } })
    assert.deepEqual([status, body[0].errorCode], [400, code])
  }
  assert.equal((await o.call('POST', PLAN, { body: {} })).status, 400)
  const person = await addPerson(o, 'planner')
  assert.equal((await person.call('POST', PLAN, { body: { query: 'SELECT Id FROM Account' } })).status, 403)
})
