import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeRecordId } from '../../src/base/record-id.ts'
import { ask, fetchRecords, fetchRefusal } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* A user's rights on records, in a query. */

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

  describe('in a query of records', () => {
    const selected = ALL_FIELDS.replace('RecordId, ', '').replaceAll(/\w+/g, 'UserRecordAccess.$&')
    const access = ({ UserRecordAccess }: Record<string, unknown>) => UserRecordAccess
    const named = (text: string) => `/query?q=${encodeURIComponent(text)}`

    test('is what the caller may do with each', async () => {
      const text = `SELECT Id, ${selected}, a.userrecordaccess.recordid FROM Account a WHERE Id = '${own}'`
      const { body } = await seller.call('GET', named(text))
      const [record] = body.records
      assert.deepEqual(record.UserRecordAccess, {
        attributes: {
          type: 'UserRecordAccess',
          url: `/services/data/v64.0/sobjects/UserRecordAccess/${own}`,
        },
        HasReadAccess: true,
        HasEditAccess: true,
        HasDeleteAccess: true,
        HasTransferAccess: true,
        HasAllAccess: true,
        MaxAccessLevel: 'All',
        RecordId: own,
      })
      const described = await seller.call('GET', `${named(text)}&columns=true`)
      assert.deepEqual(described.body.columnMetadata.at(-1).joinColumns.length, 7)
    })

    test('agrees with a query of the records that are named, for every object, and on every page', async () => {
      const records = Array.from({ length: 220 }, (_, n) => ({
        attributes: { type: 'Account' },
        Name: `many ${n}`,
      }))
      for (const part of [records.slice(0, 200), records.slice(200)])
        await seller.call('POST', '/composite/sobjects', { body: { records: part } })
      for (const rest of [
        'Account',
        'Account ORDER BY Name',
        'Contact',
        'User',
        'ContentVersion',
        'Opportunity',
      ]) {
        for (const { org, id } of [seller, { org: o, id: o.userId }]) {
          const text = `SELECT Id, UserRecordAccess.MaxAccessLevel, UserRecordAccess.HasDeleteAccess FROM ${rest}`
          const first = await org.call('GET', named(text), {
            headers: { 'sforce-query-options': 'batchSize=200' },
          })
          if (first.status === 400) continue
          const found = [...first.body.records]
          if (first.body.nextRecordsUrl !== undefined)
            found.push(...(await org.call('GET', first.body.nextRecordsUrl)).body.records)
          const seen = found.slice(-150).map((record) => record.Id)
          if (seen.length === 0) continue
          const expected = await levels(org, id, ...seen)
          assert.deepEqual(
            found.slice(-150).map((record) => record.UserRecordAccess.MaxAccessLevel),
            expected,
            rest,
          )
        }
      }
      const [shared] = await fetchRecords(
        seller.org,
        `SELECT UserRecordAccess.HasEditAccess, UserRecordAccess.HasTransferAccess FROM Account WHERE Id = '${others}'`,
      )
      assert.deepEqual(access(shared!), { HasEditAccess: true, HasTransferAccess: false })
    })

    test('is none for records in the recycle bin', async () => {
      const id = await seller.org.create('Account', { Name: 'gone' })
      await seller.call('DELETE', `/sobjects/Account/${id}`)
      const text = `SELECT UserRecordAccess.MaxAccessLevel, UserRecordAccess.HasReadAccess FROM Account WHERE Id = '${id}'`
      const { body } = await seller.call('GET', `/queryAll?q=${encodeURIComponent(text)}`)
      const { MaxAccessLevel, HasReadAccess } = body.records[0].UserRecordAccess
      assert.deepEqual([MaxAccessLevel, HasReadAccess], ['None', false])
    })

    test('is found by a search too', async () => {
      await seller.org.create('Account', { Name: 'Zebrafish' })
      const q = encodeURIComponent('FIND {Zebrafish} RETURNING Account(Id, UserRecordAccess.MaxAccessLevel)')
      const { body } = await seller.call('GET', `/search?q=${q}`)
      assert.equal(body.searchRecords[0].UserRecordAccess.MaxAccessLevel, 'All')
    })

    test('is selected for the queried records only, and for nothing but access', async () => {
      const refusal = async (text: string) => (await fetchRefusal(o, text)).message
      for (const text of [
        'SELECT Id FROM Account WHERE UserRecordAccess.HasEditAccess = true',
        'SELECT Id FROM Account ORDER BY UserRecordAccess.MaxAccessLevel',
        'SELECT COUNT(Id) FROM Account GROUP BY UserRecordAccess.MaxAccessLevel',
        'SELECT Account.UserRecordAccess.HasEditAccess FROM Contact',
        'SELECT (SELECT UserRecordAccess.HasEditAccess FROM Contacts) FROM Account',
        'SELECT toLabel(UserRecordAccess.MaxAccessLevel) FROM Account',
        'SELECT UserRecordAccess.HasEditAccess FROM RecentlyViewed',
        'SELECT Id FROM Account WHERE Id IN (SELECT UserRecordAccess.RecordId FROM Contact)',
      ]) {
        assert.match(await refusal(text), /Didn't understand relationship 'UserRecordAccess'/, text)
      }
      assert.match(
        await refusal('SELECT UserRecordAccess.UserId FROM Account'),
        /^Can select only RecordId, a Has\*Access field/,
      )
      for (const items of [
        'FORMAT(Name) UserRecordAccess, UserRecordAccess.RecordId',
        'UserRecordAccess.RecordId, FORMAT(Name) UserRecordAccess',
      ]) {
        assert.equal(await refusal(`SELECT ${items} FROM Account`), 'duplicate alias: UserRecordAccess')
      }
      // An alias is what it stands for.
      const aliased = 'SELECT UserRecordAccess.Name FROM Account UserRecordAccess LIMIT 1'
      assert.equal((await fetchRecords(o, aliased)).length, 1)
      const twice = 'SELECT UserRecordAccess.RecordId, UserRecordAccess.RecordId FROM Account'
      assert.match(await refusal(twice), /duplicate field selected: UserRecordAccess.RecordId/)
    })
  })

  test('is not called queryable', async () => {
    const { body } = await o.call('GET', '/sobjects/UserRecordAccess/describe')
    assert.deepEqual([body.queryable, body.retrieveable, body.createable], [false, false, false])
  })
})
