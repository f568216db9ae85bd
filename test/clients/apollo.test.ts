import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openPort, type RealPort } from '../support/real-port.ts'

/* The Apollo client of the registry, unmodified, over a real port: it asks for __typename everywhere and keeps a cache. */

let o: TestOrg
let port: RealPort
let client: ApolloClient

before(async () => {
  o = await openOrg()
  port = await openPort()
  client = new ApolloClient({
    link: new HttpLink({
      uri: `${port.address}/services/data/v66.0/graphql`,
      headers: { authorization: `Bearer ${o.token}` },
    }),
    // Records are distinguished by their ids.
    cache: new InMemoryCache({
      dataIdFromObject: (object) =>
        typeof object.Id === 'string' ? `${object.__typename}:${object.Id}` : undefined,
    }),
  })
  for (let i = 0; i < 3; i++) await o.create('Account', { Name: `Apollo ${i}`, Industry: 'Energy' })
})
after(async () => {
  client.stop()
  await port.close()
})

const ACCOUNTS = gql`
  query Accounts($pattern: String!, $first: Int = 2, $after: String) {
    uiapi {
      query {
        Account(first: $first, after: $after, where: { Name: { like: $pattern } }, orderBy: { Name: {} }) {
          edges { node { Id Name { value } Owner { Name { value } } } }
          pageInfo { hasNextPage endCursor }
          totalCount
        }
      }
    }
  }
`

// biome-ignore lint/suspicious/noExplicitAny: the documents say what comes
type Data = any

const namesIn = (data: Data) =>
  data.uiapi.query.Account.edges.map(({ node }: { node: { Name: { value: string } } }) => node.Name.value)

describe('the Apollo client', () => {
  test('asks with variables, page by page', async () => {
    const first = await client.query<Data>({ query: ACCOUNTS, variables: { pattern: 'Apollo%' } })
    assert.deepEqual(namesIn(first.data), ['Apollo 0', 'Apollo 1'])
    const { pageInfo, totalCount } = first.data.uiapi.query.Account
    assert.deepEqual([pageInfo.hasNextPage, totalCount], [true, 3])
    const second = await client.query<Data>({
      query: ACCOUNTS,
      variables: { pattern: 'Apollo%', after: pageInfo.endCursor },
    })
    assert.deepEqual(namesIn(second.data), ['Apollo 2'])
    assert.equal(second.data.uiapi.query.Account.edges[0].node.Owner.Name.value, 'Administrator')
  })

  test('sees a mutation in its cache, because records have types and ids', async () => {
    const { data } = await client.query<Data>({ query: ACCOUNTS, variables: { pattern: 'Apollo 0' } })
    const [{ node }] = data.uiapi.query.Account.edges
    const update = gql`
      mutation Rename($id: ID!, $name: String!) {
        uiapi { AccountUpdate(input: { Id: $id, Account: { Name: $name } }) { success Record { Id Name { value } } } }
      }
    `
    const changed = await client.mutate<Data>({
      mutation: update,
      variables: { id: node.Id, name: 'Apollo zero' },
    })
    assert.equal(changed.data.uiapi.AccountUpdate.success, true)
    const cached = client.readQuery<Data>({ query: ACCOUNTS, variables: { pattern: 'Apollo 0' } })
    assert.deepEqual(namesIn(cached), ['Apollo zero'])
  })

  test('throws what the document was refused for', async () => {
    const query = gql`query { uiapi { query { Account { edges { node { Nope { value } } } } } } }`
    await assert.rejects(client.query({ query }), (error) => {
      assert.ok(CombinedGraphQLErrors.is(error))
      assert.match(error.message, /'Nope' in type 'Account' is undefined/)
      assert.equal(error.errors[0]!.extensions?.ErrorType, 'ValidationError')
      return true
    })
  })

  test('keeps the parts that did not fail with errorPolicy all', async () => {
    const query = gql`query { uiapi { query { bad: Account(first: 9999) { totalCount } User { totalCount } } } }`
    const { data, error } = await client.query<Data>({ query, errorPolicy: 'all' })
    assert.equal(data.uiapi.query.bad, null)
    assert.ok(data.uiapi.query.User.totalCount > 0)
    assert.ok(CombinedGraphQLErrors.is(error))
    assert.deepEqual(error.errors[0]!.path, ['uiapi', 'query', 'bad'])
  })
})
