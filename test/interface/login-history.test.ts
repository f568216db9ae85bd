import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { fetchRecords, fetchRefusal } from '../support/ask.ts'
import { askToken, fetchTokens } from '../support/oauth.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson } from '../support/people.ts'

describe('LoginHistory', () => {
  const now = new Date('2026-03-05T12:00:00Z')
  let o: TestOrg
  const give = () =>
    fetchTokens(o, {
      grant_type: 'client_credentials',
      client_id: o.clientId,
      client_secret: o.clientSecret,
    })
  const count = async () => {
    await o.services.logins.writeDown()
    const [row] = await fetchRecords(o, 'SELECT COUNT(Id) many FROM LoginHistory')
    return Number(row!.many)
  }
  before(async () => {
    o = await openOrg({ clock: () => now })
  })

  test('has the user, time, address and app of each token that was given', async () => {
    const before = await count()
    await give()
    assert.equal(await count(), before + 1)
    const [app] = await fetchRecords(
      o,
      `SELECT Name FROM ConnectedApplication WHERE ConsumerKey = '${o.clientId}'`,
    )
    const [login] = await fetchRecords(
      o,
      `SELECT UserId, LoginTime, SourceIp, Status, Application FROM LoginHistory WHERE UserId = '${o.userId}' AND LoginTime >= 2026-03-05T00:00:00Z ORDER BY LoginTime DESC, Id DESC LIMIT 1`,
    )
    const { SourceIp, ...rest } = login!
    // The test server is reached from an address of its own.
    assert.match(String(SourceIp), /^\d+(\.\d+){3}$/)
    assert.deepEqual(rest, {
      UserId: o.userId,
      LoginTime: '2026-03-05T12:00:00.000+0000',
      Status: 'Success',
      Application: app!.Name,
    })
  })

  test('has no token that was refused', async () => {
    const before = await count()
    const refused = await askToken(o, {
      grant_type: 'client_credentials',
      client_id: o.clientId,
      client_secret: 'wrong',
    })
    assert.equal(refused.status, 400, refused.text)
    assert.equal(await count(), before)
  })

  test('keeps the newest 10,000', async () => {
    await o.db.query(
      sql`insert into ${sql.id(o.org.schemaName, '_login')} (user_id, client_id, login_time)
          select ${o.userId}, 'old', '2026-01-01' from generate_series(1, 10050)`,
    )
    await give()
    assert.equal(await count(), 10_000)
    const newest = await fetchRecords(o, 'SELECT Id FROM LoginHistory WHERE LoginTime = 2026-03-05T12:00:00Z')
    assert.equal(newest.length, 1)
  })

  test('does not exist for those who may not see the setup', async () => {
    const person = await addPerson(o, 'curious')
    assert.equal((await fetchRefusal(person.org, 'SELECT Id FROM LoginHistory')).code, 'INVALID_TYPE')
  })
})
