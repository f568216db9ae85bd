import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeRecordId } from '../../src/base/record-id.ts'
import { ask, fetchRecords, fetchRefusal } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* What a user may do with records, in a query. */

const ALL_FIELDS =
  'RecordId, HasReadAccess, HasEditAccess, HasDeleteAccess, HasTransferAccess, HasAllAccess, MaxAccessLevel'

describe('UserRecordAccess', () => {
  let o: TestOrg
  let seller: Person
  let reader: Person
  let own: string
  let others: string
  before(async () => {
    o = await openOrg()
    const objects = [{ ...standardObject('Account'), sharing: 'private' as const }]
    await o.services.runtimes
      .of(o.org)
      .snapshots.deploy(o.db, { objects, mode: 'keep', allowDestructive: true })
    seller = await addPerson(o, 'seller')
    reader = await addPerson(o, 'reader')
    const rights = ['Create', 'Edit', 'Delete', 'ViewAllFields', 'EditAllFields'] as const
    for (const name of ['Account', 'Contact']) await allow(o, seller.setId, name, ...rights)
    await allow(o, reader.setId, 'Account', 'Read')
    own = (await seller.call('POST', '/sobjects/Account', { body: { Name: 'own' } })).body.id
    others = await o.create('Account', { Name: 'others' })
  })

  const where = (user: string, ...ids: readonly string[]) =>
    `UserId = '${user}' AND RecordId IN (${ids.map((id) => `'${id}'`).join()})`
  const levels = async (asking: TestOrg, user: string, ...ids: readonly string[]) => {
    const text = `SELECT RecordId, MaxAccessLevel FROM UserRecordAccess WHERE ${where(user, ...ids)}`
    const found = new Map(
      (await fetchRecords(asking, text)).map(({ RecordId, MaxAccessLevel }) => [RecordId, MaxAccessLevel]),
    )
    return ids.map((id) => found.get(id))
  }

  test('has one record for each that is named, with all that the user may do', async () => {
    const records = await fetchRecords(
      seller.org,
      `SELECT ${ALL_FIELDS} FROM UserRecordAccess WHERE ${where(seller.id, own, others)} ORDER BY HasEditAccess DESC`,
    )
    const access = (may: boolean) => ({
      HasReadAccess: may,
      HasEditAccess: may,
      HasDeleteAccess: may,
      HasTransferAccess: may,
      HasAllAccess: may,
    })
    assert.deepEqual(records, [
      { RecordId: own, ...access(true), MaxAccessLevel: 'All' },
      { RecordId: others, ...access(false), MaxAccessLevel: 'None' },
    ])
    const short = `SELECT RecordId FROM UserRecordAccess WHERE UserId = '${seller.id.slice(0, 15)}' AND RecordId = '${own.slice(0, 15)}' AND HasEditAccess = true LIMIT 1`
    assert.deepEqual(await fetchRecords(seller.org, short), [{ RecordId: own }])
  })

  test('agrees with what calls of the user are answered: by shares, objects and rights', async () => {
    const contact = (
      await seller.call('POST', '/sobjects/Contact', { body: { LastName: 'x', AccountId: own } })
    ).body.id
    assert.deepEqual(await levels(seller.org, seller.id, contact, seller.id), ['All', 'Read'])
    assert.deepEqual(await levels(o, reader.id, own, others, contact), ['None', 'None', 'None'])
    const share = { AccountId: own, UserOrGroupId: reader.id, AccountAccessLevel: 'Edit' }
    await o.create('AccountShare', share)
    // The right on the object is only one to read.
    assert.deepEqual(await levels(o, reader.id, own, others), ['Read', 'None'])
    await o.create('AccountShare', { ...share, AccountId: others, UserOrGroupId: seller.id })
    assert.deepEqual(await levels(seller.org, seller.id, others), ['Edit'])
    assert.equal((await seller.call('PATCH', `/sobjects/Account/${others}`, { body: {} })).status, 204)
    assert.notEqual((await seller.call('DELETE', `/sobjects/Account/${others}`)).status, 204)
  })

  test('changes with the access, also for a query that was asked before', async () => {
    const id = await o.create('Account', { Name: 'given away' })
    assert.deepEqual(await levels(seller.org, seller.id, id), ['None'])
    assert.deepEqual(await levels(o, o.userId, id), ['All'])
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { OwnerId: seller.id } })
    assert.deepEqual(await levels(seller.org, seller.id, id), ['All'])
    assert.deepEqual(await levels(o, reader.id, id), ['None'])
    await o.call('DELETE', `/sobjects/Account/${id}`)
    assert.deepEqual(await levels(seller.org, seller.id, id), ['None'])
  })

  test('tells nothing of ids that no record has, and of users who are not there', async () => {
    assert.deepEqual(await levels(o, o.userId, makeRecordId('001', 9e9), makeRecordId('zzz', 1)), [
      'None',
      'None',
    ])
    assert.deepEqual(await levels(o, makeRecordId('005', 9e9), own), ['None'])
    await o.call('PATCH', `/sobjects/User/${reader.id}`, { body: { IsActive: false } })
    assert.deepEqual(await levels(o, reader.id, own), ['None'])
  })

  test("of another user is the administrator's to ask, also in a transaction", async () => {
    const text = `SELECT RecordId, MaxAccessLevel FROM UserRecordAccess WHERE ${where(seller.id, own)}`
    const refused = await ask(seller.org, text.replace(seller.id, o.userId))
    assertRefused(
      refused,
      403,
      'INSUFFICIENT_ACCESS',
      /only an administrator may ask for the access of another user/,
    )
    const url = `/services/data/v64.0/query?q=${encodeURIComponent(text)}`
    const { body } = await o.call('POST', '/composite', {
      body: { allOrNone: true, compositeRequest: [{ method: 'GET', url, referenceId: 'access' }] },
    })
    assert.equal(body.compositeResponse[0].body.records[0].MaxAccessLevel, 'All')
    const explained = await seller.call('GET', `/query?explain=${encodeURIComponent(text)}`)
    assert.equal(explained.status, 200, explained.text)
  })

  test('selects access and nothing else', async () => {
    const message = 'Can select only RecordId, a Has*Access field, and MaxAccessLevel'
    for (const select of [
      'Id',
      'RecordId, UserId',
      'RecordId, User.Name',
      'COUNT()',
      'COUNT(RecordId)',
      'toLabel(MaxAccessLevel)',
      'FIELDS(ALL)',
    ]) {
      const text = `SELECT ${select} FROM UserRecordAccess WHERE ${where(o.userId, own)}${select.includes('COUNT') ? '' : ' LIMIT 1'}`
      assert.deepEqual(await fetchRefusal(o, text), { code: 'INVALID_FIELD', message }, select)
    }
  })

  test('is refused without one user and at most 200 records', async () => {
    const ids = Array.from({ length: 201 }, (_, n) => makeRecordId('001', n + 1))
    for (const rest of [
      '',
      ` WHERE RecordId = '${own}'`,
      ` WHERE UserId = '${o.userId}'`,
      ` WHERE UserId IN ('${o.userId}', '${seller.id}') AND RecordId = '${own}'`,
      ` WHERE UserId = '${o.userId}' OR RecordId = '${own}'`,
      ` WHERE UserId = '${o.userId}' AND RecordId != '${own}'`,
      ` WHERE UserId = '${o.userId}' AND RecordId > '${own}'`,
      ` WHERE ${where(o.userId, ...ids)}`,
    ]) {
      const { code, message } = await fetchRefusal(o, `SELECT RecordId FROM UserRecordAccess${rest}`)
      assert.equal(code, 'MALFORMED_QUERY', rest)
      assert.match(message, /^UserRecordAccess: a filter on a single UserId is required/)
    }
    assert.equal((await levels(o, o.userId, ...ids.slice(1))).length, 200)
  })

  test('is not called queryable', async () => {
    const { body } = await o.call('GET', '/sobjects/UserRecordAccess/describe')
    assert.deepEqual([body.queryable, body.retrieveable, body.createable], [false, false, false])
  })
})
