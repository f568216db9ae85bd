import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { copyOrg } from '../../src/orgs/snapshots/copy-org.ts'
import { dropOrg } from '../../src/storage/orgs/orgs.ts'
import { fetchNames, fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { loadCatalog } from '../support/catalog.sql.ts'
import { createUser } from '../support/create-user.ts'
import { fetchSteps, withFields } from '../support/deploying.ts'
import { makeApp } from '../support/make-app.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { SECRETS } from '../support/secrets.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'

let o: TestOrg

const save = (name: string) => o.call('PUT', `/setup/orgs/current/snapshots/${name}`)
const restore = (name: string) => o.call('POST', '/setup/orgs/current/restore', { body: { snapshot: name } })

const OBJECTS = {
  Box__c: withFields({
    Number__c: { type: 'autonumber', format: 'B-{0}', unique: true },
    Code__c: { type: 'string', length: 20, unique: true, externalId: true },
    Box__c: { type: 'reference', to: 'Box__c', children: 'Boxes__r' },
    Account__c: { type: 'reference', to: 'Account', onDelete: 'cascade' },
  }),
} as const

/** Everything that clients see of boxes, accounts and contacts. */
const everything = async () => [
  await fetchRecords(o, 'SELECT FIELDS(ALL) FROM Box__c ORDER BY Id LIMIT 200'),
  await fetchRecords(o, 'SELECT FIELDS(ALL) FROM Account ORDER BY Id LIMIT 200'),
  await fetchRecords(o, 'SELECT FIELDS(ALL) FROM Contact ORDER BY Id LIMIT 200'),
  await fetchRecords(o, 'SELECT Id, LastName FROM User ORDER BY Id'),
]

describe('a restored snapshot', () => {
  let account: string
  let first: string
  let second: string
  let kept: unknown

  before(async () => {
    o = await openOrg()
    await fetchSteps(o, OBJECTS)
    account = await o.create('Account', { Name: 'Acme' })
    await o.create('Contact', { FirstName: 'Ada', LastName: 'King', AccountId: account })
    first = await o.create('Box__c', { Code__c: 'one', Account__c: account })
    second = await o.create('Box__c', { Code__c: 'two', Box__c: first })
    const { status, body } = await save('start')
    assert.deepEqual([status, body.name], [200, 'start'])
    kept = await everything()
  })

  const isBack = async () => {
    const { status, text } = await restore('start')
    assert.equal(status, 200, text)
    assert.deepEqual(await everything(), kept)
  }

  test('has nothing that came after it', async () => {
    await o.create('Account', { Name: 'New' })
    await createUser(o, 'late')
    await isBack()
  })

  test('has everything that went', async () => {
    await o.call('DELETE', `/sobjects/Account/${account}`)
    assert.deepEqual(await fetchNames(o, "Account WHERE Name = 'Acme'"), [])
    await isBack()
  })

  test('has the old values, those that another record has taken too', async () => {
    await o.call('PATCH', `/sobjects/Box__c/${first}`, { body: { Code__c: 'x', Box__c: second } })
    await o.call('PATCH', `/sobjects/Box__c/${second}`, { body: { Code__c: 'one', Box__c: null } })
    await o.call('PATCH', `/sobjects/Box__c/${first}`, { body: { Code__c: 'two' } })
    await isBack()
  })

  test('has the recycle bin as it was', async () => {
    const gone = await o.create('Account', { Name: 'Binned' })
    await o.call('DELETE', `/sobjects/Account/${gone}`)
    await save('with-bin')
    await isBack()
    await restore('with-bin')
    const { body } = await o.call('GET', '/queryAll?q=SELECT+Id+FROM+Account+WHERE+IsDeleted=true')
    assert.deepEqual(
      body.records.map(({ Id }: { Id: string }) => Id),
      [gone],
    )
    await isBack()
  })

  test('counts on from where it was', async () => {
    const next = async () => {
      const id = await o.create('Box__c', {})
      return (await o.call('GET', `/sobjects/Box__c/${id}`)).body.Number__c
    }
    assert.deepEqual([await next(), await next()], ['B-3', 'B-4'])
    await isBack()
    assert.equal(await next(), 'B-3')
    await isBack()
  })

  test('never gives an id twice', async () => {
    const id = await o.create('Box__c', {})
    await isBack()
    assert.notEqual(await o.create('Box__c', {}), id)
    await isBack()
  })

  test('has the schema that it was made with', async () => {
    const catalog = await loadCatalog(o)
    await fetchSteps(
      o,
      { Box__c: withFields({ Code__c: { type: 'longtextarea' }, New__c: { type: 'int' } }), Lid__c: {} },
      { allowDestructive: true },
    )
    await o.create('Lid__c', {})
    await isBack()
    assert.deepEqual(await loadCatalog(o), catalog)
    assert.equal((await o.call('GET', '/sobjects/Lid__c')).status, 404)
    assert.equal((await o.call('GET', '/sobjects/Box__c/Code__c/one')).body.Id, first)
  })

  test('comes back when its object went and came again', async () => {
    await fetchSteps(o, {}, { allowDestructive: true })
    await fetchSteps(o, { Other__c: {}, ...OBJECTS })
    await o.create('Box__c', { Code__c: 'one' })
    await isBack()
  })

  test('can be restored again and again', async () => {
    for (let round = 0; round < 3; round++) {
      await o.create('Account', { Name: `Round ${round}` })
      await isBack()
    }
  })
})

describe('snapshots', () => {
  before(async () => {
    o = await openOrg()
  })

  test('are listed with their records, the oldest first', async () => {
    assert.deepEqual((await o.call('GET', '/setup/orgs/current/snapshots')).body, [])
    const [a] = [(await save('a')).body, await o.create('Account', { Name: 'Acme' })]
    const b = (await save('b')).body
    assert.equal(b.records, a.records + 1)
    const { body } = await o.call('GET', '/setup/orgs/current/snapshots')
    assert.deepEqual(
      body.map(({ name, records }: never) => ({ name, records })),
      [a, b],
    )
    assert.match(body[0].createdAt, /^\d{4}-\d{2}-\d{2}T/)
  })

  test('are replaced by one of the same name', async () => {
    await o.create('Account', { Name: 'Second' })
    await save('a')
    await o.create('Account', { Name: 'Third' })
    await restore('a')
    assert.deepEqual(await fetchNames(o, 'Account ORDER BY Name'), ['Acme', 'Second'])
  })

  test('leave nothing when they are deleted', async () => {
    for (const name of ['a', 'b']) {
      assert.equal((await o.call('DELETE', `/setup/orgs/current/snapshots/${name}`)).status, 204)
      assert.equal((await o.call('DELETE', '/setup/orgs/current/snapshots/%00')).status, 400)
    }
    assertRefused(await restore('a'), 404, 'NOT_FOUND', 'There is no snapshot a. There is none yet')
    assertRefused(
      await o.call('DELETE', '/setup/orgs/current/snapshots/a'),
      404,
      'NOT_FOUND',
      /There is no snapshot a/,
    )
  })

  test('have plain names', async () => {
    assertRefused(await save('a%20b'), 400, 'INVALID_INPUT', /1 to 40 letters/)
    assertRefused(await restore('../x'), 400, 'INVALID_INPUT', /1 to 40 letters/)
    for (const body of [{}, { snapshot: 3 }, [], { snapshot: 'a', more: 1 }]) {
      assert.equal((await o.call('POST', '/setup/orgs/current/restore', { body })).status, 400)
    }
  })
})

test('a restored snapshot has the rights of its time', async () => {
  o = await openOrg()
  const person = await addPerson(o, 'reader')
  await o.create('Account', { Name: 'Acme' })
  const status = async () => (await person.call('GET', '/query?q=SELECT+Name+FROM+Account')).status
  assert.equal(await status(), 400)
  await save('before')
  await allow(o, person.setId, 'Account', 'Read', 'ViewAllRecords', 'ViewAllFields')
  assert.equal(await status(), 200)
  await save('after')
  await restore('before')
  assert.equal(await status(), 400)
  await restore('after')
  assert.equal(await status(), 200)
})

test('a snapshot from before anybody used an object has its numbers begin again', async () => {
  const unused = await openOrg()
  await saveSnapshot(unused, 'unused')
  for (const time of [1, 2]) {
    const id = await unused.create('Case', { Subject: `${time}` })
    const { body } = await unused.call('GET', `/sobjects/Case/${id}?fields=CaseNumber`)
    assert.equal(body.CaseNumber, '00000001')
    await restoreSnapshot(unused, 'unused')
  }
})

test('a copy of an org counts on from where the org was', async () => {
  o = await openOrg()
  await fetchSteps(o, OBJECTS)
  await o.create('Box__c', {})
  const copy = await copyOrg(o.db, o.services, o.org, `Copy ${o.org.id}`, undefined, SECRETS)
  const token = o.services.sessions.issueUnstored(copy, o.userId)
  const makeBox = async (headers?: Record<string, string>) => {
    const made = await o.call('POST', '/sobjects/Box__c', { body: {}, headers })
    return (await o.call('GET', `/sobjects/Box__c/${made.body.id}`, { headers })).body.Number__c
  }
  assert.deepEqual([await makeBox({ authorization: `Bearer ${token}` }), await makeBox()], ['B-2', 'B-2'])
  await dropOrg(o.db, copy)
})

test('an org that is reset has its users and its schema, and nothing else', async () => {
  o = await openOrg()
  const Pricebook2 = { fields: { Account__c: { type: 'reference', to: 'Account' } } } as const
  await fetchSteps(o, { ...OBJECTS, Pricebook2 })
  const account = await o.create('Account', { Name: 'Acme' })
  await o.create('Contact', { LastName: 'King', AccountId: account })
  await o.create('Box__c', { Account__c: account })
  const user = await createUser(o, 'stays')
  const [pricebook] = await fetchRecords(o, 'SELECT Id FROM Pricebook2')
  const changed = await o.call('PATCH', `/sobjects/Pricebook2/${pricebook!.Id}`, {
    body: { Account__c: account },
  })
  assert.equal(changed.status, 204)
  assert.equal((await o.call('POST', '/setup/orgs/current/reset')).status, 204)
  assert.deepEqual((await everything()).slice(0, 3), [[], [], []])
  assert.equal((await o.call('GET', `/sobjects/User/${user}`)).status, 200)
  const pricebooks = await fetchRecords(o, 'SELECT Id, Account__c FROM Pricebook2')
  assert.deepEqual(
    pricebooks.map(({ Id, Account__c }) => [Id, Account__c]),
    [[pricebook!.Id, null]],
  )
  const box = await o.create('Box__c', {})
  assert.equal((await o.call('GET', `/sobjects/Box__c/${box}`)).body.Number__c, 'B-1')
})

describe('a snapshot of a time before a field lost its values', () => {
  const BOX = (Text__c?: object) => ({
    Box__c: withFields((Text__c === undefined ? {} : { Text__c }) as never),
  })
  const string = { type: 'string', length: 40 }
  const encrypted = { type: 'encryptedstring', length: 40 }

  for (const [name, before, after] of [
    ['went', string, undefined],
    ['became one that its values cannot be of', encrypted, string],
    ['was encrypted', string, encrypted],
  ] as const) {
    test(`brings them back: the field ${name}`, async () => {
      const t = await openOrg()
      await fetchSteps(t, BOX(before))
      const id = await t.create('Box__c', { Text__c: 'kept' })
      await saveSnapshot(t, 'a')
      await fetchSteps(t, BOX(after), { allowDestructive: true })
      await restoreSnapshot(t, 'a')
      assert.equal((await t.call('GET', `/sobjects/Box__c/${id}`)).body.Text__c, 'kept')
    })
  }
})

test('no record that came since is in the way of the schema of a snapshot', async () => {
  const t = await openOrg()
  const box = (field: object) => ({ Box__c: withFields({ Text__c: field } as never) })
  await fetchSteps(t, box({ type: 'string', length: 10, unique: true }))
  const id = await t.create('Box__c', { Text__c: 'kept' })
  await saveSnapshot(t, 'a')
  await fetchSteps(t, box({ type: 'string', length: 80 }))
  await t.create('Box__c', { Text__c: 'longer than before' })
  for (const Text__c of ['twice', 'twice']) await t.create('Box__c', { Text__c })
  await restoreSnapshot(t, 'a')
  assert.deepEqual(await fetchRecords(t, 'SELECT Id, Text__c FROM Box__c'), [{ Id: id, Text__c: 'kept' }])
})

describe('a restore says whom it lets in again:', () => {
  let t: TestOrg
  let stays: string

  const restoreIn = async () => {
    const body = await restoreSnapshot(t, 'a')
    return [body.reactivatedUsers, body.unblockedApps]
  }
  const setActive = (id: string, IsActive: boolean) =>
    t.call('PATCH', `/sobjects/User/${id}`, { body: { IsActive } })

  before(async () => {
    t = await openOrg()
    stays = await createUser(t, 'stays')
    await setActive(await createUser(t, 'left-before'), false)
    await makeApp(t, { name: 'Stays' })
    await makeApp(t, { name: 'Blocked before', isBlocked: true })
    await saveSnapshot(t, 'a')
  })

  test('users who were deactivated since, by their usernames', async () => {
    const { body } = await t.call('GET', `/sobjects/User/${stays}?fields=Username`)
    await setActive(stays, false)
    assert.deepEqual(await restoreIn(), [[body.Username], undefined])
    assert.equal((await t.call('GET', `/sobjects/User/${stays}?fields=IsActive`)).body.IsActive, true)
  })

  for (const how of ['blocked', 'deleted']) {
    test(`apps that were ${how} since, by their names`, async () => {
      const [app] = await fetchRecords(t, "SELECT Id FROM ConnectedApplication WHERE Name = 'Stays'")
      const path = `/sobjects/ConnectedApplication/${app!.Id}`
      const { status } = await (how === 'blocked'
        ? t.call('PATCH', path, { body: { IsBlocked: true } })
        : t.call('DELETE', path))
      assert.equal(status, 204)
      assert.deepEqual(await restoreIn(), [undefined, ['Stays']])
      assert.equal((await t.call('GET', `${path}?fields=IsBlocked`)).body.IsBlocked, false)
    })
  }

  test('nobody, where nobody was kept out since', async () => {
    await setActive(await createUser(t, 'came-later'), false)
    await makeApp(t, { name: 'Came later', isBlocked: true })
    assert.deepEqual(await restoreIn(), [undefined, undefined])
  })
})

test('A snapshot that came with a dump into another database restores every row, whatever versions rows have there', async () => {
  const moved = await openOrg()
  const id = await moved.create('Account', { Name: 'Before' })
  await saveSnapshot(moved, 'start')
  await moved.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'After' } })
  const [register, rows, copied] = ['_snapshot', 'account', '_1_account'].map((name) =>
    sql.id(moved.org.schemaName, name),
  )
  // Another database counts transactions from another start: there the changed row may have the version of the copy.
  await moved.db.script([
    sql`update ${copied!} set _version = (select xmin::text::bigint from ${rows!} where id = ${sql.raw(`'${id}'`)})`,
    sql`update ${register!} set upgraded = jsonb_set(upgraded, '{place}', '"elsewhere"')`,
  ])
  for (const name of ['Before', 'Later']) {
    await restoreSnapshot(moved, 'start')
    assert.deepEqual(await fetchRecords(moved, 'SELECT Name FROM Account'), [{ Name: 'Before' }], name)
    await moved.call('PATCH', `/sobjects/Account/${id}`, { body: { Name: 'Later' } })
  }
})
