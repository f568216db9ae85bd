import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'

/* Events with IsPrivate, as others find them. */

let o: TestOrg
let account: string
let secret: string
let open: string
let owner: Person
let above: Person
let other: Person

before(async () => {
  o = await openOrg()
  account = await o.create('Account', { Name: 'Acme' })
  const boss = await o.create('UserRole', { Name: 'Boss' })
  const staff = await o.create('UserRole', { Name: 'Staff', ParentRoleId: boss })
  owner = await addPerson(o, 'owner', { UserRoleId: staff })
  above = await addPerson(o, 'above', { UserRoleId: boss })
  other = await addPerson(o, 'other', { UserRoleId: staff })
  for (const { setId } of [owner, above, other]) {
    await allow(o, setId, 'Account', 'Read')
    await allow(o, setId, 'Event', 'Read', 'Create', 'Edit', 'Delete')
    for (const field of ['WhatId', 'IsPrivate', 'StartDateTime', 'DurationInMinutes'])
      await allowField(o, setId, `Event.${field}`, 'Edit')
  }
  const fields = { StartDateTime: '2099-05-03T10:00:00Z', DurationInMinutes: 30, WhatId: account }
  secret = await owner.org.create('Event', { ...fields, Subject: 'Rendezvous hidden', IsPrivate: true })
  open = await owner.org.create('Event', { ...fields, Subject: 'Rendezvous plain' })
})

/** The events that somebody finds, by each way there is. */
async function listFound({
  org,
}: Person | { org: TestOrg }): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const ids = async (query: string) => (await fetchRecords(org, query)).map(({ Id }) => Id)
  const children = async (name: string) => {
    const query = `SELECT (SELECT Id FROM ${name}) FROM Account WHERE Id = '${account}'`
    const [row] = await fetchRecords(org, query)
    return (row![name] as { records: { Id: string }[] } | null)?.records.map(({ Id }) => Id) ?? []
  }
  const read = async () => {
    const answers = [open, secret].map(async (id) => ({
      id,
      status: (await org.call('GET', `/sobjects/Event/${id}`)).status,
    }))
    return (await Promise.all(answers)).flatMap(({ id, status }) => (status === 200 ? [id] : []))
  }
  const search = await org.call(
    'GET',
    `/search?q=${encodeURIComponent('FIND {Rendezvous} RETURNING Event(Id)')}`,
  )
  const graph = await org.call('POST', '/graphql', {
    body: { query: '{ uiapi { query { Event { edges { node { Id } } } } } }' },
  })
  return {
    query: await ids('SELECT Id FROM Event'),
    count: [(await fetchRecords(org, 'SELECT COUNT(Id) n FROM Event'))[0]!.n],
    events: await children('Events'),
    activities: await children('OpenActivities'),
    read: await read(),
    search: search.body.searchRecords.map(({ Id }: { Id: string }) => Id),
    graph: graph.body.data.uiapi.query.Event.edges.map(({ node }: { node: { Id: string } }) => node.Id),
  }
}

const sorted = (found: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(found).map(([name, list]) => [name, [...list].sort()]))

const all = (ids: readonly string[]) => {
  const list = [...ids].sort()
  return {
    query: list,
    count: [list.length],
    events: list,
    activities: list,
    read: list,
    search: list,
    graph: list,
  }
}

describe('a private event', () => {
  test('is found by its owner, by those above the owner and by who sees all data, in every API', async () => {
    for (const person of [owner, above, { org: o }])
      assert.deepEqual(sorted(await listFound(person)), all([open, secret]))
  })

  test('does not exist for others, who have all other events', async () => {
    assert.deepEqual(sorted(await listFound(other)), all([open]))
  })

  test('is not changed or deleted by others, who do not learn that it is there', async () => {
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { body: { Subject: 'x' } } : {}
      const refused = await other.call(method, `/sobjects/Event/${secret}`, body)
      assert.equal(refused.status, 404, `${method}: ${refused.text}`)
    }
    const [kept] = await fetchRecords(o, `SELECT Subject FROM Event WHERE Id = '${secret}'`)
    assert.equal(kept!.Subject, 'Rendezvous hidden')
  })

  test('is shown again when it is not private any more', async () => {
    assert.equal(
      (await owner.call('PATCH', `/sobjects/Event/${secret}`, { body: { IsPrivate: false } })).status,
      204,
    )
    assert.ok((await listFound(other)).query!.includes(secret))
  })
})
