import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames, fetchRecords, queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, type Person } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* Who sees, edits and deletes which records. */

let o: TestOrg
let boss: Person
let seller: Person
let peer: Person
/** Rights on accounts and what hangs on them, the same for all three. */
const ALL = ['Create', 'Edit', 'Delete', 'ViewAllFields', 'EditAllFields'] as const

/** Who may see and edit what belongs to others. */
const share = (sharing: 'readWrite' | 'read' | 'private', name = 'Account') =>
  o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
    objects: [{ ...standardObject(name), sharing }],
    mode: 'keep',
    allowDestructive: true,
  })

const refusedWrite = [
  400,
  'INSUFFICIENT_ACCESS_OR_READONLY',
  'insufficient access rights on object id',
] as const
const notThere = [404, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id'] as const

async function fetchStatus(person: Person, method: string, id: string, body?: object): Promise<number> {
  return (await person.call(method, `/sobjects/Account/${id}`, { body })).status
}

before(async () => {
  o = await openOrg()
  const top = await o.create('UserRole', { Name: 'Top' })
  const sales = await o.create('UserRole', { Name: 'Sales', ParentRoleId: top })
  boss = await addPerson(o, 'boss', { UserRoleId: top })
  seller = await addPerson(o, 'seller', { UserRoleId: sales })
  peer = await addPerson(o, 'peer', { UserRoleId: sales })
  for (const { setId } of [boss, seller, peer]) {
    for (const object of ['Account', 'Contact', 'Opportunity', 'OpportunityLineItem', 'Note', 'Task']) {
      await allow(o, setId, object, ...ALL)
    }
  }
})

describe('an object that everybody may read and write', () => {
  let id: string
  before(async () => {
    id = await seller.org.create('Account', { Name: 'Open' })
  })

  test('is seen and edited by everybody who has the object', async () => {
    assert.equal(await fetchStatus(peer, 'GET', id), 200)
    assert.equal(await fetchStatus(peer, 'PATCH', id, { Industry: 'Energy' }), 204)
  })

  test('is deleted by its owner and those above the owner only', async () => {
    assertRefused(await peer.call('DELETE', `/sobjects/Account/${id}`), ...refusedWrite)
    assert.equal(await fetchStatus(boss, 'DELETE', id), 204)
  })

  test('is given away by its owner and those above the owner only', async () => {
    const own = await seller.org.create('Account', { Name: 'Given' })
    const body = { OwnerId: peer.id }
    assertRefused(await peer.call('PATCH', `/sobjects/Account/${own}`, { body }), ...refusedWrite)
    assert.equal(await fetchStatus(peer, 'PATCH', own, { OwnerId: seller.id, Phone: '1' }), 204)
    assert.equal(await fetchStatus(seller, 'PATCH', own, body), 204)
  })
})

describe('an object that everybody may read', () => {
  let id: string
  before(async () => {
    await share('read')
    id = await seller.org.create('Account', { Name: 'Readable' })
  })

  test('is seen by everybody who has the object, and edited by its owner and those above the owner', async () => {
    assert.equal(await fetchStatus(peer, 'GET', id), 200)
    assertRefused(
      await peer.call('PATCH', `/sobjects/Account/${id}`, { body: { Phone: '1' } }),
      ...refusedWrite,
    )
    for (const person of [seller, boss]) {
      assert.equal(await fetchStatus(person, 'PATCH', id, { Phone: '1' }), 204)
    }
  })
})

describe('a private object', () => {
  let id: string
  let hidden: string
  before(async () => {
    await share('private')
    await share('private', 'Opportunity')
    id = await seller.org.create('Account', { Name: 'Hidden' })
    hidden = await seller.org.create('Contact', { LastName: 'Known', AccountId: id })
  })

  test('is seen by its owner, those above the owner and administrators', async () => {
    for (const person of [seller, boss]) assert.equal(await fetchStatus(person, 'GET', id), 200)
    assert.equal((await o.call('GET', `/sobjects/Account/${id}`)).status, 200)
    const { status, body } = await peer.call('GET', `/sobjects/Account/${id}`)
    assert.deepEqual([status, body[0].errorCode], [404, 'NOT_FOUND'])
  })

  test('is not there for others, whatever they do with it', async () => {
    const path = `/sobjects/Account/${id}`
    assertRefused(await peer.call('PATCH', path, { body: { Phone: '1' } }), ...notThere)
    assertRefused(await peer.call('DELETE', path), ...notThere)
    const [read, collection] = [
      await peer.call('GET', `/composite/sobjects/Account?ids=${id}&fields=Name`),
      await peer.call('PATCH', '/composite/sobjects', {
        body: { records: [{ attributes: { type: 'Account' }, id, Phone: '1' }] },
      }),
    ]
    assert.deepEqual(read.body, [null])
    assert.equal(collection.body[0].errors[0].statusCode, 'INVALID_CROSS_REFERENCE_KEY')
    const modified = await peer.call('GET', path, { headers: { 'If-None-Match': '*' } })
    assert.equal(modified.status, 404)
  })

  test('is in no query of others, not as root, parent, child, in a semi-join or a count', async () => {
    assert.deepEqual(await fetchNames(peer.org, "Account WHERE Name = 'Hidden'"), [])
    assert.deepEqual(
      await fetchRecords(peer.org, `SELECT Account.Name FROM Contact WHERE Id = '${hidden}'`),
      [{ Account: null }],
    )
    assert.deepEqual(await fetchNames(peer.org, "Contact WHERE Account.Name = 'Hidden'"), [])
    assert.deepEqual(
      await fetchNames(peer.org, "Contact WHERE AccountId IN (SELECT Id FROM Account WHERE Name = 'Hidden')"),
      [],
    )
    const { body } = await peer.call('GET', queryPath("SELECT COUNT() FROM Account WHERE Name = 'Hidden'"))
    assert.equal(body.totalSize, 0)
    const found = await peer.call('GET', `/search?q=${encodeURIComponent('FIND {Hidden} IN ALL FIELDS')}`)
    assert.deepEqual(found.body.searchRecords, [])
  })

  test('is counted by explain for those who see it only', async () => {
    const explain = async (person: Person) => {
      const path = `/query?explain=${encodeURIComponent("SELECT Id FROM Account WHERE Name LIKE 'Hid%'")}`
      return (await person.call('GET', path)).body.plans[0]
    }
    const seen = await fetchNames(peer.org, 'Account')
    const { cardinality, sobjectCardinality, relativeCost } = await explain(peer)
    assert.deepEqual([cardinality, sobjectCardinality, relativeCost], [0, seen.length, 0])
    assert.equal((await explain(seller)).cardinality, 1)
    for (const query of [
      'SELECT COUNT() FROM Account',
      'SELECT Name, COUNT(Id) FROM Account GROUP BY Name',
    ]) {
      const { status, body } = await peer.call('GET', `/query?explain=${encodeURIComponent(query)}`)
      assert.deepEqual([status, body.plans[0].sobjectCardinality], [200, seen.length])
    }
  })

  test('is hidden behind a reference to several objects from users who may not see it', async () => {
    const task = await seller.org.create('Task', { Subject: 'Call', WhatId: id })
    const query = `SELECT What.Name FROM Task WHERE Id = '${task}'`
    assert.deepEqual(await fetchRecords(seller.org, query), [{ What: { Name: 'Hidden' } }])
    assert.deepEqual(await fetchRecords(peer.org, query), [{ What: null }])
  })

  test('cannot be pointed to by others', async () => {
    const body = { LastName: 'Guess', AccountId: id }
    assertRefused(
      await peer.call('POST', '/sobjects/Contact', { body }),
      400,
      'INVALID_CROSS_REFERENCE_KEY',
      'invalid cross reference id',
    )
  })

  test('is shared with one user by a record, in the degree that it says, and no longer when it goes', async () => {
    const path = `/sobjects/Account/${id}`
    const fields = { AccountId: id, UserOrGroupId: peer.id }
    const reading = await seller.org.create('AccountShare', { ...fields, AccountAccessLevel: 'Read' })
    assert.equal(await fetchStatus(peer, 'GET', id), 200)
    assertRefused(await peer.call('PATCH', path, { body: { Phone: '2' } }), ...refusedWrite)
    const editing = await seller.org.create('AccountShare', { ...fields, AccountAccessLevel: 'Edit' })
    assert.equal(await fetchStatus(peer, 'PATCH', id, { Phone: '2' }), 204)
    assertRefused(await peer.call('DELETE', path), ...refusedWrite)
    assert.deepEqual(
      await fetchRecords(peer.org, `SELECT RowCause FROM AccountShare WHERE AccountId = '${id}'`),
      [{ RowCause: 'Manual' }, { RowCause: 'Manual' }],
    )
    for (const share of [reading, editing]) await seller.call('DELETE', `/sobjects/AccountShare/${share}`)
    assert.equal(await fetchStatus(peer, 'GET', id), 404)
  })

  test('is shared by those who may give it away only', async () => {
    const fields = { AccountId: id, UserOrGroupId: peer.id, AccountAccessLevel: 'Read' }
    const stranger = await peer.call('POST', '/sobjects/AccountShare', { body: fields })
    assertRefused(stranger, 400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id')
    const own = await seller.org.create('AccountShare', { ...fields, AccountAccessLevel: 'Edit' })
    const more = await peer.call('POST', '/sobjects/AccountShare', {
      body: { ...fields, AccountAccessLevel: 'All' },
    })
    assertRefused(
      more,
      400,
      'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY',
      'insufficient access rights on cross-reference id',
    )
    assertRefused(
      await peer.call('PATCH', `/sobjects/AccountShare/${own}`, { body: { AccountAccessLevel: 'All' } }),
      ...refusedWrite,
    )
    await seller.call('DELETE', `/sobjects/AccountShare/${own}`)
  })

  test('is shared with a group, and with groups in it', async () => {
    const inner = await o.create('Group', { Name: 'Inner', Type: 'Regular' })
    const outer = await o.create('Group', { Name: 'Outer', Type: 'Regular' })
    await o.create('GroupMember', { GroupId: outer, UserOrGroupId: inner })
    const shareId = await o.create('AccountShare', {
      AccountId: id,
      UserOrGroupId: outer,
      AccountAccessLevel: 'Read',
    })
    assert.equal(await fetchStatus(peer, 'GET', id), 404)
    const member = await o.create('GroupMember', { GroupId: inner, UserOrGroupId: peer.id })
    assert.equal(await fetchStatus(peer, 'GET', id), 200)
    await o.call('DELETE', `/sobjects/GroupMember/${member}`)
    assert.equal(await fetchStatus(peer, 'GET', id), 404)
    await o.call('DELETE', `/sobjects/AccountShare/${shareId}`)
  })

  test('takes its line items and notes with it', async () => {
    const opportunity = await seller.org.create('Opportunity', {
      Name: 'Deal',
      StageName: 'Prospecting',
      CloseDate: '2026-12-01',
    })
    const note = await seller.org.create('Note', { Title: 'Secret', ParentId: opportunity })
    assert.equal((await boss.call('GET', `/sobjects/Note/${note}`)).status, 200)
    assert.equal((await peer.call('GET', `/sobjects/Note/${note}`)).status, 404)
    const body = { Title: 'Mine', ParentId: opportunity }
    const refused = await peer.call('POST', '/sobjects/Note', { body })
    assertRefused(refused, 400, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id')
  })

  test('is all of it there for who views all records of the object, and written by who modifies all', async () => {
    const viewer = await addPerson(o, 'viewer')
    await allow(o, viewer.setId, 'Account', 'ViewAllRecords', 'Edit')
    assert.equal(await fetchStatus(viewer, 'GET', id), 200)
    assertRefused(
      await viewer.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'x' } }),
      ...refusedWrite,
    )
    await allow(o, viewer.setId, 'Account', 'ModifyAllRecords')
    assert.equal(await fetchStatus(viewer, 'PATCH', id, { Name: 'Hidden' }), 204)
  })

  test('may have a key that somebody else uses: the writer does not learn whose it is', async () => {
    await o.deploy([
      {
        ...standardObject('Account'),
        fields: [
          { name: 'Key__c', label: 'Key', type: 'string', length: 20, unique: true, externalId: true },
        ],
      },
    ])
    await o.call('PATCH', `/sobjects/Account/${id}`, { body: { Key__c: 'k1' } })
    const body = { Name: 'Mine' }
    assert.equal((await peer.call('GET', '/sobjects/Account/Key__c/k1')).status, 404)
    const answer = await peer.call('PATCH', '/sobjects/Account/Key__c/k1', { body })
    assertRefused(
      answer,
      400,
      'DUPLICATE_VALUE',
      'duplicate value found: Key__c duplicates value on record with id: <unknown>',
    )
  })

  test('pages of a result show no record that the caller may no longer see', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      const body = {
        records: Array.from({ length: 200 }, (_, n) => ({
          attributes: { type: 'Account' },
          Name: `Page ${i} ${n}`,
          OwnerId: peer.id,
        })),
      }
      const made = await o.call('POST', '/composite/sobjects', { body })
      ids.push(...made.body.map((one: { id: string }) => one.id))
    }
    const path = queryPath("SELECT Id FROM Account WHERE Name LIKE 'Page%' ORDER BY Name")
    const headers = { 'Svc-Query-Options': 'batchSize=200' }
    const first = await peer.call('GET', path, { headers })
    assert.equal(first.body.totalSize, 600)
    const shown = new Set(first.body.records.map(({ Id }: { Id: string }) => Id))
    const taken = ids.find((one) => !shown.has(one))!
    await o.call('PATCH', `/sobjects/Account/${taken}`, { body: { OwnerId: seller.id } })
    const rest: string[] = []
    for (let next = first.body.nextRecordsUrl; next !== undefined; ) {
      const page = await peer.call('GET', next)
      rest.push(...page.body.records.map(({ Id }: { Id: string }) => Id))
      next = page.body.nextRecordsUrl
    }
    assert.equal(rest.length, 399)
    assert.equal(rest.includes(taken), false)
  })
})

test('shares come and go with what there is to share', async () => {
  await share('private')
  assert.equal((await o.call('GET', '/sobjects/AccountShare/describe')).status, 200)
  await share('readWrite')
  assert.equal((await o.call('GET', '/sobjects/AccountShare/describe')).status, 404)
  const { body } = await o.call('GET', '/setup/orgs/current/schema')
  assert.equal('AccountShare' in body.objects, false)
})
