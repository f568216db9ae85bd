import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { standardObject } from '../support/standard-object.ts'

/* Records by the way that leads to them: /sobjects/Contact/{id}/Account/Owner, /sobjects/Account/{id}/Contacts. */

let o: TestOrg
let top: string
let account: string
let contact: string

before(async () => {
  o = await openOrg()
  top = await o.create('Account', { Name: 'Top', Phone: '1' })
  account = await o.create('Account', { Name: 'Acme', ParentId: top })
  contact = await o.create('Contact', { LastName: 'Roe', AccountId: account })
})

const get = (path: string, headers?: Record<string, string>) => o.call('GET', `/sobjects${path}`, { headers })
const notFound = (answer: Awaited<ReturnType<typeof get>>) =>
  assertRefused(answer, 404, 'NOT_FOUND', NO_RESOURCE)

describe('the way to a parent', () => {
  test('gives the record that the parent is by its id, in one step or in several', async () => {
    const byId = async (object: string, id: string) => (await get(`/${object}/${id}`)).body
    assert.deepEqual((await get(`/Contact/${contact}/Account`)).body, await byId('Account', account))
    assert.deepEqual(
      (await get(`/contact/${contact.slice(0, 15)}/account/`)).body,
      await byId('Account', account),
    )
    assert.deepEqual((await get(`/Contact/${contact}/Account/Parent`)).body, await byId('Account', top))
    const owner = await get(`/Contact/${contact}/Account/Parent/Owner`)
    assert.deepEqual(owner.body, await byId('User', o.userId))
  })

  test('gives the asked fields, and the conditions of a read hold', async () => {
    const { body } = await get(`/Contact/${contact}/Account?fields=Name`)
    assert.deepEqual(body, {
      attributes: { type: 'Account', url: `/services/data/v64.0/sobjects/Account/${account}` },
      Name: 'Acme',
      Id: account,
    })
    assertRefused(
      await get(`/Contact/${contact}/Account?fields=Nope`),
      400,
      'INVALID_FIELD',
      /'Nope' on entity 'Account'/,
    )
    const { etag } = (await get(`/Contact/${contact}/Account`)).headers
    assert.equal((await get(`/Contact/${contact}/Account`, { 'if-none-match': String(etag) })).status, 304)
  })

  test('behind a reference to several objects leads to the one that it is', async () => {
    const task = await o.create('Task', { Subject: 'call', WhatId: account, WhoId: contact })
    assert.equal((await get(`/Task/${task}/What?fields=Name`)).body.Name, 'Acme')
    assert.equal((await get(`/Task/${task}/Who/Account?fields=Name`)).body.Name, 'Acme')
  })

  test('changes and deletes the parent', async () => {
    const parent = await o.create('Account', { Name: 'Parent' })
    const child = await o.create('Account', { Name: 'Child', ParentId: parent })
    const grandchild = await o.create('Contact', { LastName: 'Grand', AccountId: child })
    const path = `/sobjects/Contact/${grandchild}/Account/Parent`
    assert.equal((await o.call('PATCH', path, { body: { Phone: '7' } })).status, 204)
    assert.equal((await get(`/Account/${parent}?fields=Phone`)).body.Phone, '7')
    assertRefused(
      await o.call('PATCH', path, { body: { Nope: 1 } }),
      400,
      'INVALID_FIELD',
      /No such column 'Nope'/,
    )
    assert.equal((await o.call('DELETE', path)).status, 204)
    assert.equal((await get(`/Account/${parent}`)).status, 404)
    assert.equal((await get(`/Account/${child}?fields=Phone`)).status, 200)
  })

  test('that leads nowhere is not found', async () => {
    const lonely = await o.create('Contact', { LastName: 'Lonely' })
    for (const path of [
      `/Contact/${lonely}/Account`,
      `/Contact/${lonely}/Account/Owner`,
      `/Contact/${contact}/Nothing`,
      `/Contact/${contact}/Account/Nothing`,
      `/Contact/${contact}/__proto__`,
      `/Contact/003OB0000000999/Account`,
      `/Contact/${contact}/Account/Contacts/Account`,
    ]) {
      const { status } = await get(path)
      assert.equal(status, 404, path)
    }
    notFound(await get(`/Contact/${lonely}/Account`))
    notFound(await o.call('PATCH', `/sobjects/Contact/${lonely}/Account`, { body: {} }))
    notFound(await o.call('DELETE', `/sobjects/Contact/${lonely}/Account`))
  })

  test('is walked five steps and no more', async () => {
    let last = top
    for (let n = 0; n < 5; n++) last = await o.create('Account', { Name: `${n}`, ParentId: last })
    const way = (steps: number) =>
      get(`/Account/${last}/${Array(steps).fill('Parent').join('/')}?fields=Name`)
    assert.equal((await way(5)).body.Name, 'Top')
    const farther = await o.create('Account', { Name: 'farther', ParentId: last })
    notFound(await get(`/Account/${farther}/${Array(6).fill('Parent').join('/')}`))
  })
})

describe('the way to children', () => {
  test('gives them as a query does, with all fields or some', async () => {
    const { status, body } = await get(`/Account/${account}/Contacts?fields=LastName`)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      totalSize: 1,
      done: true,
      records: [
        {
          attributes: { type: 'Contact', url: `/services/data/v64.0/sobjects/Contact/${contact}` },
          LastName: 'Roe',
          Id: contact,
        },
      ],
    })
    const [whole] = (await get(`/Account/${account}/Contacts`)).body.records
    assert.deepEqual(whole, (await get(`/Contact/${contact}`)).body)
    assert.deepEqual((await get(`/Account/${top}/Contacts`)).body, { totalSize: 0, done: true, records: [] })
    assertRefused(
      await get(`/Account/${account}/Contacts?fields=Nope`),
      400,
      'INVALID_FIELD',
      /'Nope' on entity 'Contact'/,
    )
  })

  test('may follow ways up', async () => {
    const { body } = await get(`/Contact/${contact}/Account/Contacts?fields=Id`)
    assert.deepEqual(
      body.records.map(({ Id }: { Id: string }) => Id),
      [contact],
    )
  })

  test('has pages', async () => {
    const parent = await o.create('Account', { Name: 'many' })
    const records = Array.from({ length: 200 }, (_, n) => ({
      attributes: { type: 'Contact' },
      LastName: `c${n}`,
      AccountId: parent,
    }))
    for (let n = 0; n < 2; n++) await o.call('POST', '/composite/sobjects', { body: { records } })
    const names = new Set<string>()
    const first = await get(`/Account/${parent}/Contacts?fields=LastName`, {
      'svc-query-options': 'batchSize=250',
    })
    assert.deepEqual([first.body.totalSize, first.body.done, first.body.records.length], [400, false, 250])
    const second = await o.call('GET', first.body.nextRecordsUrl)
    for (const { Id } of [...first.body.records, ...second.body.records]) names.add(Id)
    assert.equal(names.size, 400)
  })

  test('is only read', async () => {
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await o.call(method, `/sobjects/Account/${account}/Contacts`, { body: {} })
      assertRefused(
        answer,
        405,
        'METHOD_NOT_ALLOWED',
        `HTTP Method '${method}' not allowed. Allowed are GET,HEAD`,
      )
      assert.equal(answer.headers.allow, 'GET, HEAD')
    }
  })

  test('of a record that is not there is not found', async () => {
    notFound(await get('/Account/001OB0000000999/Contacts'))
  })
})

test('a way leads only to what the caller sees', async () => {
  await o.services.runtimes.of(o.org).snapshots.deploy(o.db, {
    objects: [{ ...standardObject('Account'), sharing: 'private' }],
    mode: 'keep',
    allowDestructive: true,
  })
  const person = await addPerson(o, 'walker')
  await allow(o, person.setId, 'Contact', 'Read', 'ViewAllFields')
  const ask = (path: string) => person.call('GET', `/sobjects${path}`)
  assert.equal((await ask(`/Contact/${contact}`)).status, 200)
  notFound(await ask(`/Contact/${contact}/Account`))
  await allow(o, person.setId, 'Account', 'Read', 'ViewAllFields')
  notFound(await ask(`/Contact/${contact}/Account`))
  notFound(await ask(`/Account/${account}/Contacts`))
})

test('a way is a step of a composite like any other record', async () => {
  const url = (path: string) => `/services/data/v64.0/sobjects${path}`
  const { body } = await o.call('POST', '/composite', {
    body: {
      compositeRequest: [
        { method: 'GET', url: url(`/Contact/${contact}/Account?fields=Name`), referenceId: 'parent' },
        {
          method: 'GET',
          url: url(`/Account/@{parent.Id}/Contacts?fields=LastName`),
          referenceId: 'children',
        },
        { method: 'GET', url: url(`/Contact/${contact}/Account/Parent?fields=Name`), referenceId: 'top' },
      ],
    },
  })
  const [parent, children, root] = body.compositeResponse
  assert.deepEqual(
    [parent.body.Name, children.body.records[0].LastName, root.body.Name],
    ['Acme', 'Roe', 'Top'],
  )
})
