import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Pages, parents and children. (docs/reference/api/graphql.md#records) */

let o: TestOrg
const accounts: string[] = []

before(async () => {
  o = await openOrg()
  for (let i = 0; i < 25; i++)
    accounts.push(await o.create('Account', { Name: `Account ${String(i).padStart(2, '0')}` }))
  for (let i = 0; i < 13; i++) {
    await o.create('Contact', {
      LastName: `Contact ${String(i).padStart(2, '0')}`,
      AccountId: accounts[i % 2],
    })
  }
})

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly Id: string } }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const ALL =
  'edges { cursor node { Id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount pageResultCount'
const page = async (args: string, selection = ALL) =>
  (await fetchUiapi(o, `{ uiapi { query { Account${args} { ${selection} } } } }`)).query.Account

/** Why a page is refused, as the only part that is. */
async function refusal(args: string): Promise<string> {
  const { data, errors } = await sendDocument(
    o,
    `{ uiapi { query { Account${args} { ${ALL} } User { totalCount } } } }`,
  )
  assert.equal(data.uiapi.query.Account, null)
  assert.ok(data.uiapi.query.User.totalCount > 0)
  assert.deepEqual(
    errors.map(({ paths, extensions }) => [paths, extensions.ErrorType]),
    [[['uiapi', 'query', 'Account'], 'DataFetchingException']],
  )
  return errors[0]!.message
}

const ids = ({ edges }: Page) => edges.map(({ node }) => node.Id)

describe('a page', () => {
  test('has ten records when nothing is said, and tells where it stands', async () => {
    const { edges, ...rest } = await page('')
    assert.deepEqual(ids({ edges } as Page), accounts.slice(0, 10))
    assert.deepEqual(rest, {
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: 'djE6MA==', endCursor: 'djE6OQ==' },
      totalCount: 25,
      pageResultCount: 10,
    })
  })

  test('follows another one by its last cursor, or by any', async () => {
    const seen: string[] = []
    let after = ''
    for (;;) {
      const found: Page = await page(`(first: 7${after})`)
      seen.push(...ids(found))
      if (!found.pageInfo.hasNextPage) break
      after = `, after: "${found.pageInfo.endCursor}"`
    }
    assert.deepEqual(seen, accounts)
    const { edges } = await page('(first: 3)')
    const second = await page(`(first: 2, after: "${edges[1].cursor}")`)
    assert.deepEqual(ids(second), accounts.slice(2, 4))
    assert.deepEqual(second.pageInfo, {
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: edges[2].cursor,
      endCursor: 'djE6Mw==',
    })
  })

  test('is empty where nothing matches, and behind the end', async () => {
    const nothing = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }
    assert.deepEqual(await page('(where: {Name: {eq: "x"}})'), {
      edges: [],
      pageInfo: nothing,
      totalCount: 0,
      pageResultCount: 0,
    })
    const behind = await page(`(after: "${Buffer.from('v1:99').toString('base64')}")`)
    assert.deepEqual(behind, { edges: [], pageInfo: nothing, totalCount: 25, pageResultCount: 0 })
  })

  test('is told of without its records', async () => {
    assert.deepEqual(await page('', 'totalCount'), { totalCount: 25 })
    assert.deepEqual(await page('(first: 4)', 'pageResultCount pageInfo { endCursor }'), {
      pageResultCount: 4,
      pageInfo: { endCursor: 'djE6Mw==' },
    })
  })

  test('has 1 to 2,000 records', async () => {
    for (const first of [0, -1, 2001]) assert.match(await refusal(`(first: ${first})`), /between 1 and 2000/)
    assert.equal((await page('(first: 2000)')).pageResultCount, 25)
  })

  test('starts behind a cursor that is one', async () => {
    for (const cursor of [
      '',
      'x',
      'djE6',
      Buffer.from('v1:-1').toString('base64'),
      Buffer.from('v2:1').toString('base64'),
    ]) {
      assert.match(await refusal(`(after: "${cursor}")`), /is not a valid cursor/)
    }
  })

  test('does not lie behind the 4,000th record, unless a bound says how far it goes', async () => {
    const far = Buffer.from('v1:3999').toString('base64')
    assert.match(await refusal(`(after: "${far}")`), /4000 records.*upperBound/)
    assert.equal((await page(`(first: 200, after: "${far}", upperBound: 5000)`)).totalCount, 25)
    assert.match(await refusal('(upperBound: 5000)'), /between 200 and 2000/)
    assert.match(await refusal('(first: 199, upperBound: 5000)'), /between 200 and 2000/)
    assert.deepEqual(ids(await page('(first: 200, upperBound: 3)')), accounts.slice(0, 3))
    assert.equal((await page('(first: 200, upperBound: 3)')).pageInfo.hasNextPage, false)
  })
})

describe('records are sorted', () => {
  test('by the members of orderBy, the first one first', async () => {
    const names = async (orderBy: string) => {
      const found = await fetchUiapi(
        o,
        `{ uiapi { query { Contact(first: 4, orderBy: ${orderBy}) { edges { node { LastName { value } } } } } } }`,
      )
      return found.query.Contact.edges.map(({ node }: { node: { LastName: { value: string } } }) =>
        node.LastName.value.slice(-2),
      )
    }
    assert.deepEqual(await names('{LastName: {order: DESC}}'), ['12', '11', '10', '09'])
    assert.deepEqual(await names('{Account: {Name: {order: DESC}}, LastName: {}}'), ['01', '03', '05', '07'])
    assert.deepEqual(await names('{LastName: {}, Account: {Name: {order: DESC}}}'), ['00', '01', '02', '03'])
    await o.create('Contact', { LastName: 'Contact 99' })
    assert.deepEqual((await names('{Account: {Name: {}}, LastName: {}}'))[0], '99')
    assert.deepEqual((await names('{Account: {Name: {nulls: LAST}}, LastName: {}}'))[0], '00')
    assert.deepEqual(
      (await names('{Account: {Owner: {Name: {order: DESC, nulls: FIRST}}}, Id: {order: DESC}}'))[0],
      '99',
    )
  })

  test('also in the order in which a variable has them', async () => {
    const text = `query($by: Contact_OrderBy) { uiapi { query { Contact(first: 1, orderBy: $by) { edges { node { LastName { value } } } } } } }`
    const first = async (by: object) => {
      const { query } = await fetchUiapi(o, text, { variables: { by } })
      return query.Contact.edges[0].node.LastName.value
    }
    const account = { Account: { Name: { order: 'DESC', nulls: 'LAST' } } }
    assert.equal(await first({ ...account, LastName: { order: 'ASC' } }), 'Contact 01')
    assert.equal(await first({ LastName: { order: 'ASC' }, ...account }), 'Contact 00')
  })

  test('by their distance', async () => {
    for (const [i, id] of accounts.slice(0, 3).entries()) {
      const body = { BillingLatitude: 60 - i, BillingLongitude: 10 }
      await o.call('PATCH', `/sobjects/Account/${id}`, { body })
    }
    const by = '{BillingAddress: {distance: {latitude: 58, longitude: 10}, nulls: LAST}}'
    const found = await page(`(first: 3, orderBy: ${by})`)
    assert.deepEqual(ids(found), accounts.slice(0, 3).reverse())
  })
})

describe('a parent', () => {
  test('is a record inside its child, null where there is none', async () => {
    const alone = await o.create('Contact', { LastName: 'Alone' })
    const text = `query($ids: [ID]) { uiapi { query { Contact(where: {Id: {in: $ids}}) { edges { node { Id Account { Id Name { value } Owner { Name { value } } } } } } } } }`
    const { query } = await fetchUiapi(o, text, { variables: { ids: [alone] } })
    assert.deepEqual(query.Contact.edges[0].node, { Id: alone, Account: null })
    const all = await fetchUiapi(
      o,
      `{ uiapi { query { Contact(first: 1) { edges { node { Account { Id Name { value } Owner { Name { value } } } } } } } } }`,
    )
    assert.deepEqual(all.query.Contact.edges[0].node.Account, {
      Id: accounts[0],
      Name: { value: 'Account 00' },
      Owner: { Name: { value: 'Administrator' } },
    })
  })

  test('that may be one of several objects is selected by what it is, or as a Name', async () => {
    const queue = await o.create('Group', { Name: 'Line', Type: 'Queue' })
    const mine = await o.create('Case', { Subject: 'mine' })
    const lined = await o.create('Case', { Subject: 'lined', OwnerId: queue })
    const owners = async (selection: string) => {
      const text = `query($ids: [ID]) { uiapi { query { Case(where: {Id: {in: $ids}}) { edges { node { Owner { ${selection} } } } } } } }`
      const { query } = await fetchUiapi(o, text, { variables: { ids: [mine, lined] } })
      return query.Case.edges.map(({ node }: { node: { Owner: unknown } }) => node.Owner)
    }
    const user = { Username: { value: 'admin@objectry.test' } }
    assert.deepEqual(await owners('... on User { Username { value } } ... on Group { Name { value } }'), [
      user,
      { Name: { value: 'Line' } },
    ])
    assert.deepEqual(await owners('__typename ... on User { Username { value } }'), [
      { __typename: 'User', ...user },
      { __typename: 'Group' },
    ])
    assert.deepEqual(await owners('__typename ... on Name { Name { value } Type { value } }'), [
      { __typename: 'Name', Name: { value: 'Administrator' }, Type: { value: 'User' } },
      { __typename: 'Name', Name: { value: 'Line' }, Type: { value: 'Group' } },
    ])
    assert.deepEqual(await owners('__typename ... on Record { Id ApiName DisplayValue }'), [
      { __typename: 'User', Id: o.userId, ApiName: 'User', DisplayValue: 'Administrator' },
      { __typename: 'Group', Id: queue, ApiName: 'Group', DisplayValue: 'Line' },
    ])
    const [first] = await owners('... on Record { CreatedDate { value } }')
    assert.match(first.CreatedDate.value, /Z$/)
  })

  test('is followed five levels up', async () => {
    const up = (levels: number) => `${'Parent { '.repeat(levels)}Name { value }${' }'.repeat(levels)}`
    assert.equal((await page('(first: 1)', `edges { node { ${up(5)} } }`)).edges.length, 1)
    const { errors } = await sendDocument(
      o,
      `{ uiapi { query { Account { edges { node { ${up(6)} } } } } } }`,
    )
    assert.match(errors[0]!.message, /at most 5 parent relationships/)
    assert.equal(errors[0]!.extensions.ErrorType, 'ValidationError')
  })
})

describe('children', () => {
  test('are a connection inside their parent, with arguments and pages of their own', async () => {
    const args = 'first: 2, where: {LastName: {like: "Contact 0%"}}, orderBy: {LastName: {order: DESC}}'
    const found = await page(
      '(first: 3)',
      `edges { node { Contacts(${args}) { ${ALL.replace('Id', 'LastName { value }')} } } }`,
    )
    const [first, , third] = found.edges.map(({ node }: { node: { Contacts: unknown } }) => node.Contacts)
    assert.deepEqual(first, {
      edges: [
        { cursor: 'djE6MA==', node: { LastName: { value: 'Contact 08' } } },
        { cursor: 'djE6MQ==', node: { LastName: { value: 'Contact 06' } } },
      ],
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: 'djE6MA==', endCursor: 'djE6MQ==' },
      totalCount: 5,
      pageResultCount: 2,
    })
    assert.deepEqual(third, {
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
      pageResultCount: 0,
    })
  })

  test('are ten when nothing is said, counted without being read, and walked by cursors', async () => {
    const [edge] = (
      await page(
        '(first: 1)',
        `edges { node { few: Contacts { pageResultCount } Contacts { totalCount }
      rest: Contacts(after: "djE6NA==") { edges { node { LastName { value } } } } } }`,
      )
    ).edges
    assert.deepEqual(edge.node, {
      few: { pageResultCount: 7 },
      Contacts: { totalCount: 7 },
      rest: {
        edges: [
          { node: { LastName: { value: 'Contact 10' } } },
          { node: { LastName: { value: 'Contact 12' } } },
        ],
      },
    })
  })

  test('have parents, and no children', async () => {
    const found = await page(
      '(first: 1)',
      'edges { node { Contacts(first: 1) { edges { node { Account { Id } } } } } }',
    )
    assert.deepEqual(found.edges[0].node.Contacts.edges, [{ node: { Account: { Id: accounts[0] } } }])
    const below = 'edges { node { Contacts { edges { node { Cases { totalCount } } } } } }'
    const { errors } = await sendDocument(o, `{ uiapi { query { Account { ${below} } } } }`)
    assert.match(errors[0]!.message, /one level down/)
    assert.equal(errors[0]!.extensions.ErrorType, 'ValidationError')
  })

  test('of a parent are children too', async () => {
    const text =
      '{ uiapi { query { Contact(first: 1) { edges { node { Account { Contacts(first: 1) { totalCount } } } } } } } }'
    const { query } = await fetchUiapi(o, text)
    assert.deepEqual(query.Contact.edges[0].node, { Account: { Contacts: { totalCount: 7 } } })
  })
})

describe('a document asks for at most', () => {
  test('ten subqueries, those inside records too', async () => {
    const nine = Array.from({ length: 9 }, (_, i) => `a${i}: Account(first: 1) { totalCount }`).join(' ')
    const inside = 'Account(first: 1) { edges { node { Contacts { totalCount } } } }'
    assert.equal(
      Object.keys((await fetchUiapi(o, `{ uiapi { query { ${nine} b: Account { totalCount } } } }`)).query)
        .length,
      10,
    )
    const { data, errors } = await sendDocument(o, `{ uiapi { query { ${nine} ${inside} } } }`)
    assert.deepEqual(data, {})
    assert.match(errors[0]!.message, /at most 10 subqueries/)
  })

  test('200,000 records in a statement', async () => {
    const { data, errors } = await sendDocument(
      o,
      '{ uiapi { query { Account(first: 2000) { edges { node { Contacts(first: 100) { edges { node { Id } } } } } } } } }',
    )
    assert.deepEqual(data, { uiapi: { query: { Account: null } } })
    assert.match(errors[0]!.message, /more than 200000 records/)
  })

  test('1,600 columns, and 4,000 members of a filter', async () => {
    const { body } = await o.call('GET', '/sobjects/User/describe')
    const names: string[] = body.fields
      .filter(({ name, type }: { name: string; type: string }) => name !== 'Id' && type !== 'address')
      .map(({ name }: { name: string }) => name)
    const user = names.map((name) => `${name}{value}`).join(' ')
    const ways = ['CreatedBy', 'LastModifiedBy', 'Manager']
    /** Users of all ways up to some levels, each with all of its fields. */
    const users = (levels: number): string =>
      `{${user} ${levels === 0 ? '' : ways.map((way) => `${way}${users(levels - 1)}`).join(' ')}}`
    const document = (selection: string) => `{uiapi{query{Account{edges{node{${selection}}}}}}}`
    assert.deepEqual((await sendDocument(o, document(`Owner${users(2)}`))).errors, [])
    const wide = `Owner${users(2)} CreatedBy${users(2)}`
    assert.ok(names.length * 26 > 1600)
    const { data, errors } = await sendDocument(o, document(wide))
    assert.deepEqual(data, {})
    assert.match(errors[0]!.message, /selecting too many fields/)
    const text = 'query($w: Account_Filter) { uiapi { query { Account(where: $w) { totalCount } } } }'
    const ask = (n: number) =>
      sendDocument(o, text, { variables: { w: { or: Array(n).fill({ Name: { eq: 'x' } }) } } })
    assert.deepEqual((await ask(1000)).errors, [])
    assert.match((await ask(2000)).errors[0]!.message, /at most 4000 members/)
    const names50000 = { w: { Name: { in: Array(50_000).fill('x') } } }
    assert.deepEqual((await sendDocument(o, text, { variables: names50000 })).errors, [])
  })
})
