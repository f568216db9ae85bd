import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames, fetchRecords, queryPath } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

/* Which records the caller used lately. */

let o: TestOrg
/** Calls as clients make them: without a word about it they are uses of records. */
let plain: TestOrg['call']
let now = Date.UTC(2026, 2, 5, 12)

before(async () => {
  o = await openOrg({ clock: () => new Date(now), settings: { sessionSeconds: '86400' } })
  plain = makeCalls(o.token)
})

const makeCalls =
  (token: string): TestOrg['call'] =>
  async (method, path, { body, headers } = {}) =>
    makeAnswer(
      await o.server.inject({
        method: method as 'GET',
        url: `/services/data/v64.0${path}`,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body !== undefined && { payload: body as object }),
      }),
    )

const later = () => {
  now += 10_000
}
const create = async (object: string, fields: Record<string, unknown>) => {
  later()
  return (await plain('POST', `/sobjects/${object}`, { body: fields })).body.id as string
}
const get = (path: string, headers?: Record<string, string>) => {
  later()
  return plain('GET', path, { headers })
}
const recent = async (query = '', who: Pick<TestOrg, 'call'> = o) =>
  (await who.call('GET', `/recent${query}`)).body.map(({ Id }: { Id: string }) => Id) as string[]
/** Does the work of a second: uses are stored, and queries know them. */
const aSecondLater = () => o.services.recent.writeDown()
const used = async (id: string, object = 'Account') => {
  await aSecondLater()
  const { body } = await o.call('GET', `/sobjects/${object}/${id}?fields=LastViewedDate,LastReferencedDate`, {
    headers: { 'svc-mru': 'updateMru=false' },
  })
  return [body.LastViewedDate, body.LastReferencedDate]
}

describe('records that were used lately', () => {
  test('are those that were looked at, created or changed one by one, the newest use first', async () => {
    const a = await create('Account', { Name: 'a' })
    const b = await create('Account', { Name: 'b' })
    const c = await create('Contact', { LastName: 'c' })
    assert.deepEqual((await recent()).slice(0, 3), [c, b, a])
    await get(`/sobjects/Account/${a}`)
    assert.deepEqual((await recent()).slice(0, 3), [a, c, b])
    later()
    await plain('PATCH', `/sobjects/Account/${b}`, { body: { Phone: '1' } })
    assert.deepEqual((await recent()).slice(0, 3), [b, a, c])
    const { body } = await o.call('GET', '/recent?limit=2')
    assert.deepEqual(body, [
      {
        attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${b}` },
        Id: b,
        Name: 'b',
      },
      {
        attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${a}` },
        Id: a,
        Name: 'a',
      },
    ])
  })

  test('are listed with their object, by their names', async () => {
    const id = await create('Case', { Subject: 'printer' })
    const { recentItems } = (await o.call('GET', '/sobjects/Case')).body
    const [{ CaseNumber }] = (await fetchRecords(o, `SELECT CaseNumber FROM Case WHERE Id = '${id}'`)) as [
      { CaseNumber: string },
    ]
    assert.deepEqual(recentItems, [
      { attributes: { type: 'Case', url: `/services/data/v64.0/sobjects/Case/${id}` }, Id: id, CaseNumber },
    ])
    assert.deepEqual((await o.call('GET', '/sobjects/Campaign')).body.recentItems, [])
    const accounts = (await o.call('GET', '/sobjects/Account')).body.recentItems
    assert.ok(accounts.length > 1)
    assert.ok(
      accounts.every(({ attributes }: { attributes: { type: string } }) => attributes.type === 'Account'),
    )
  })

  test('stay as they were when the header says so, under both names', async () => {
    const id = await create('Account', { Name: 'quiet' })
    const newest = await create('Account', { Name: 'newest' })
    for (const [header, value] of [
      ['svc-mru', 'updateMru=false'],
      ['Sforce-Mru', 'updateMru=FALSE'],
    ] as const) {
      await get(`/sobjects/Account/${id}`, { [header]: value })
      assert.equal((await recent())[0], newest)
    }
    await get(`/sobjects/Account/${id}`, { 'sforce-mru': 'updateMru=true' })
    assert.equal((await recent())[0], id)
  })

  test('are no others for having been queried, listed or written in a collection', async () => {
    const newest = await create('Account', { Name: 'first' })
    later()
    await o.call('POST', '/composite/sobjects', {
      body: { records: [{ attributes: { type: 'Account' }, Name: 'collected' }] },
    })
    await fetchNames(o, 'Account')
    assert.equal((await recent())[0], newest)
  })

  test('leave out what is gone, and what the caller does not see', async () => {
    const gone = await create('Account', { Name: 'gone' })
    const stays = await create('Account', { Name: 'stays' })
    await o.call('DELETE', `/sobjects/Account/${gone}`)
    assert.deepEqual(await recent('?limit=1'), [stays])
    assert.equal((await recent()).includes(gone), false)
    const person = await addPerson(o, 'reader')
    const grant = await allow(o, person.setId, 'Account', 'Read', 'ViewAllFields')
    assert.deepEqual(await recent('', person), [])
    await makeCalls(person.org.token)('GET', `/sobjects/Account/${stays}`)
    assert.deepEqual(await recent('', person), [stays])
    await o.call('DELETE', `/sobjects/ObjectPermissions/${grant}`)
    assert.deepEqual(await recent('', person), [])
  })

  test('are read inside an atomic composite too, with those of its own steps', async () => {
    const before = await create('Account', { Name: 'before the composite' })
    later()
    const step = (method: string, path: string, referenceId: string, body?: object) => ({
      ...{ method, url: `/services/data/v64.0${path}`, referenceId },
      ...(body && { body }),
    })
    const { status, body } = await plain('POST', '/composite', {
      body: {
        allOrNone: true,
        compositeRequest: [
          step('POST', '/sobjects/Account', 'made', { Name: 'in the composite' }),
          step('GET', '/sobjects/Account', 'basic'),
        ],
      },
    })
    assert.equal(status, 200)
    const [made, basic] = body.compositeResponse
    assert.equal(basic.httpStatusCode, 200)
    const ids = basic.body.recentItems.map(({ Id }: { Id: string }) => Id)
    assert.deepEqual(ids.slice(0, 2), [made.body.id, before])
  })

  test('are read by forty atomic composites at once: each needs one connection', async () => {
    const url = '/services/data/v64.0/sobjects/Account'
    const compositeRequest = [
      { method: 'POST', url, referenceId: 'made', body: { Name: 'one of forty' } },
      { method: 'GET', url, referenceId: 'basic' },
    ]
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        plain('POST', '/composite', { body: { allOrNone: true, compositeRequest } }),
      ),
    )
    for (const { body } of answers) assert.equal(body.compositeResponse[1].httpStatusCode, 200)
  })

  test('are refused for an invalid limit', async () => {
    for (const limit of ['0', '-1', '201', 'many', '1.5']) {
      assertRefused(
        await o.call('GET', `/recent?limit=${limit}`),
        ...([
          400,
          'ILLEGAL_QUERY_PARAMETER_VALUE',
          /^Value for parameter limit is a whole number from 1 to 200: /,
        ] as const),
      )
    }
  })

  test('are 200 of an object at most', async () => {
    const records = Array.from({ length: 205 }, (_, n) => ({ Name: `many ${n}` }))
    for (const record of records) await create('Campaign', record)
    assert.equal((await o.call('GET', '/sobjects/Campaign')).body.recentItems.length, 200)
    await aSecondLater()
    assert.equal((await fetchNames(o, 'Campaign USING SCOPE mru')).length, 200)
  })
})

describe('RecentlyViewed', () => {
  test('has the records that the caller viewed, of all objects and with the fields of people', async () => {
    const person = await addPerson(o, 'looks')
    await allow(o, person.setId, 'Account', 'Read', 'ViewAllFields')
    await allow(o, person.setId, 'Contact', 'Read', 'ViewAllFields')
    const view = makeCalls(person.org.token)
    const account = await create('Account', { Name: 'seen' })
    const contact = await create('Contact', {
      LastName: 'Seen',
      FirstName: 'Ann',
      Email: 'a@x.test',
      AccountId: account,
    })
    later()
    await view('GET', `/sobjects/Account/${account}`)
    later()
    await view('GET', `/sobjects/Contact/${contact}`)
    await aSecondLater()
    const last = new Date(now).toISOString().replace('Z', '+0000')
    assert.deepEqual(
      await fetchRecords(
        person.org,
        'SELECT Id, Name, Type, Email, LastViewedDate FROM RecentlyViewed WHERE LastViewedDate != null ORDER BY LastViewedDate DESC LIMIT 1',
      ),
      [{ Id: contact, Name: 'Ann Seen', Type: 'Contact', Email: 'a@x.test', LastViewedDate: last }],
    )
    const ofType = async (types: string) =>
      fetchNames(person.org, `RecentlyViewed WHERE Type IN (${types}) ORDER BY Name`)
    assert.deepEqual(await ofType("'Account', 'Contact'"), ['Ann Seen', 'seen'])
    assert.deepEqual(await ofType("'Account'"), ['seen'])
    assert.deepEqual(await ofType("'Lead'"), [])
    const { body } = await person.call('POST', '/graphql', {
      body: { query: '{ uiapi { query { RecentlyViewed { edges { node { Id Type { value } } } } } } }' },
    })
    assert.equal(body.data.uiapi.query.RecentlyViewed.edges.length, 2)
  })

  test('leaves out what the caller may see no longer: records, objects and fields', async () => {
    const person = await addPerson(o, 'looked')
    const grant = await allow(o, person.setId, 'Contact', 'Read')
    const view = makeCalls(person.org.token)
    const contact = await create('Contact', { LastName: 'Hidden', Email: 'h@x.test' })
    const gone = await create('Contact', { LastName: 'Gone' })
    for (const id of [contact, gone]) await view('GET', `/sobjects/Contact/${id}`)
    await aSecondLater()
    await o.call('DELETE', `/sobjects/Contact/${gone}`)
    const all = () => fetchRecords(person.org, 'SELECT Name, Email FROM RecentlyViewed')
    assert.deepEqual(await all(), [{ Name: 'Hidden', Email: null }])
    await o.call('DELETE', `/sobjects/ObjectPermissions/${grant}`)
    assert.deepEqual(await all(), [])
  })

  test('has pages, counts and groups', async () => {
    for (let n = 0; n < 205; n++) await create('Lead', { LastName: `page ${n}`, Company: 'x' })
    await aSecondLater()
    const options = { headers: { 'svc-query-options': 'batchSize=200' } }
    for (const order of ['', ' ORDER BY LastViewedDate DESC']) {
      const path = queryPath(`SELECT Id FROM RecentlyViewed${order}`)
      const first = (await o.call('GET', path, options)).body
      assert.equal(first.done, false)
      const second = (await o.call('GET', first.nextRecordsUrl, options)).body
      const ids = [...first.records, ...second.records].map(({ Id }: { Id: string }) => Id)
      assert.equal(new Set(ids).size, ids.length)
      assert.ok(ids.length > 200)
    }
    const counted = await o.call('GET', queryPath("SELECT COUNT() FROM RecentlyViewed WHERE Type = 'Lead'"))
    assert.equal(counted.body.totalSize, 200)
    const groups = await fetchRecords(o, 'SELECT Type, COUNT(Id) many FROM RecentlyViewed GROUP BY Type')
    assert.ok(groups.some(({ Type, many }) => Type === 'Lead' && many === 200))
  })
})

describe('FOR VIEW and FOR REFERENCE', () => {
  test('make a query a use of its records', async () => {
    const viewed = await create('Lead', { LastName: 'viewed', Company: 'x' })
    const referenced = await create('Lead', { LastName: 'referenced', Company: 'x' })
    later()
    const ask = (name: string, purpose: string) =>
      o.call('GET', queryPath(`SELECT Id FROM Lead WHERE LastName = '${name}' FOR ${purpose}`))
    const { body } = await ask('viewed', 'VIEW')
    assert.equal(body.records.length, 1)
    const first = new Date(now).toISOString().replace('Z', '+0000')
    assert.equal((await recent())[0], viewed)
    later()
    await ask('referenced', 'REFERENCE')
    const second = new Date(now).toISOString().replace('Z', '+0000')
    assert.equal((await recent())[0], referenced)
    assert.deepEqual(await used(viewed, 'Lead'), [first, null])
    assert.equal((await used(referenced, 'Lead'))[1], second)
  })

  test('in turn leave a record the time of each', async () => {
    const id = await create('Lead', { LastName: 'both', Company: 'x' })
    const times: string[] = []
    for (const purpose of ['VIEW', 'REFERENCE']) {
      later()
      times.push(new Date(now).toISOString().replace('Z', '+0000'))
      await o.call('GET', queryPath(`SELECT Id FROM Lead WHERE LastName = 'both' FOR ${purpose}`))
    }
    assert.deepEqual(await used(id, 'Lead'), times)
  })
})

describe('LastViewedDate', () => {
  test("is the caller's own, and queries filter and sort by it", async () => {
    const person = await addPerson(o, 'viewer')
    await allow(o, person.setId, 'Opportunity', 'Read', 'ViewAllRecords', 'ViewAllFields')
    const make = (Name: string) =>
      o.call('POST', '/sobjects/Opportunity', {
        body: { Name, StageName: 'Prospecting', CloseDate: '2026-12-31' },
        headers: { 'svc-mru': 'updateMru=false' },
      })
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(async (name) => (await make(name)).body.id))
    later()
    const view = makeCalls(person.org.token)
    await view('GET', `/sobjects/Opportunity/${b}`)
    later()
    await view('GET', `/sobjects/Opportunity/${a}`)
    await aSecondLater()
    const mine = 'Opportunity WHERE LastViewedDate != NULL ORDER BY LastViewedDate DESC'
    assert.deepEqual(await fetchNames(person.org, mine), ['a', 'b'])
    assert.deepEqual(await fetchNames(o, mine), [])
    assert.deepEqual((await fetchNames(person.org, 'Opportunity USING SCOPE mru')).sort(), ['a', 'b'])
    const [{ expr0 }] = (await fetchRecords(person.org, 'SELECT MAX(LastViewedDate) FROM Opportunity')) as [
      { expr0: string },
    ]
    assert.equal(expr0, new Date(now).toISOString().replace('Z', '+0000'))
    const days = await fetchRecords(
      person.org,
      'SELECT DAY_ONLY(LastViewedDate) day, COUNT(Id) many FROM Opportunity GROUP BY DAY_ONLY(LastViewedDate) ORDER BY DAY_ONLY(LastViewedDate) NULLS LAST',
    )
    assert.deepEqual(
      days.map(({ day, many }) => [day, many]),
      [
        ['2026-03-05', 2],
        [null, 1],
      ],
    )
    assert.ok(c)
  })

  test('is written by nobody', async () => {
    const answer = await o.call('POST', '/sobjects/Account', {
      body: { Name: 'x', LastViewedDate: '2026-01-01T00:00:00Z' },
    })
    assertRefused(answer, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /LastViewedDate/, ['LastViewedDate'])
  })
})
