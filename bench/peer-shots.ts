import { makeRecordId } from '../src/base/record-id.ts'
import { LAST_NAMES } from './dataset.ts'
import { type Shot, spread } from './workloads.ts'

/** How many records there are. */
interface Amount {
  readonly accounts: number
  readonly contacts: number
}

// biome-ignore lint/suspicious/noExplicitAny: each answer has a shape of its own, and one with another shape ends the bench
type Answer = any

/** How a peer is asked to do the work of a workload. */
export interface PeerWork {
  readonly shot: (n: number, ids: readonly string[]) => Shot
  /** For a walk: all its requests. It is given the beginning and the end of each answer. */
  readonly pages?: () => Generator<Shot, void, string>
  /** Something of each record in an answer, not empty where the record is as it should be. */
  readonly rows: (answer: Answer) => readonly unknown[]
  /** How many records the n-th answer is to have; of a walk, all answers together. */
  readonly expected: (n: number, amount: Amount) => number
}

export type PeerWorks = Readonly<Record<string, PeerWork>>

const PAGE_SIZE = 2000
const CREATES = 15
const UPDATES = 10
const TREES = 40
const CHILDREN = 4

const one = () => 1
const fifty = () => 50
const pageful = (_n: number, { accounts }: Amount) => Math.min(PAGE_SIZE, accounts)
const all = (_n: number, { accounts }: Amount) => accounts
const steps = () => CREATES + UPDATES
const nodes = () => TREES * (1 + CHILDREN)

/** Contacts of a last name are `n`, `n + LAST_NAMES` and so on, from 1 to the number of contacts. */
const namesakes = (n: number, { contacts }: Amount) => {
  const first = n % LAST_NAMES === 0 ? LAST_NAMES : n % LAST_NAMES
  return Math.min(50, Math.floor((contacts - first) / LAST_NAMES) + 1)
}

const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at))
const revenueAbove = (n: number, ids: readonly string[]) => Math.floor(spread(n, ids) / 2) * 10
const keyOf = (n: number, ids: readonly string[]) => (n % 2 === 0 ? `new-${n}` : `key-${1 + spread(n, ids)}`)
const updatedIds = (n: number, ids: readonly string[]) =>
  list(UPDATES, (at) => ids[spread(n * 10 + at, ids)]!)

/* PostGraphile: documents with variables, so that it keeps the plan of each. */

const ask = (query: string, variables: object): Shot => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
})

const FIVE_FIELDS = 'rowId name industry annualrevenue benchKey'
const makePage = (
  total: string,
) => `query ($after: Cursor) { allAccounts(first: ${PAGE_SIZE}, after: $after) {
  ${total} pageInfo { hasNextPage endCursor } nodes { ${FIVE_FIELDS} createddate } } }`
const FIRST_PAGE = makePage('totalCount')
const LATER_PAGE = makePage('')

/** Without a total, a first page is taken for an empty one. */
const postgraphilePage: PeerWork = {
  shot: () => ask(FIRST_PAGE, {}),
  rows: ({ data }) =>
    data.allAccounts.totalCount === 0 ? [] : data.allAccounts.nodes.map(({ rowId }: Answer) => rowId),
  expected: pageful,
}

/** The cursor is made of the key: it asks for what comes after the last id. */
function* walkPostgraphile(): Generator<Shot, void, string> {
  let answer = yield ask(FIRST_PAGE, {})
  for (;;) {
    const after = /"hasNextPage":true,"endCursor":"([^"]+)"/.exec(answer)?.[1]
    if (after === undefined) return
    answer = yield ask(LATER_PAGE, { after })
  }
}

const READ = `query ($id: String!) { accountByRowId(rowId: $id) { ${FIVE_FIELDS} } }`
const FILTER = `query ($revenue: String) { allAccounts(
  first: 50, orderBy: [ANNUALREVENUE_DESC], condition: { industry: "Energy", annualrevenueAbove: $revenue }
) { nodes { rowId name industry annualrevenue } } }`
const CONTACTS = `query ($name: String) { allContacts(first: 50, condition: { lastname: $name }) {
  nodes { rowId lastname email createddate accountByAccountid { name } } } }`
const UPDATE = `mutation ($id: String!, $patch: AccountPatch!) {
  updateAccountByRowId(input: { rowId: $id, accountPatch: $patch }) { account { rowId } } }`
const UPSERT = 'mutation ($input: UpsertAccountInput!) { upsertAccount(input: $input) { result { rowId } } }'
const CREATE =
  'mutation ($account: AccountInput!) { createAccount(input: { account: $account }) { account { rowId } } }'
const SAVE = `mutation ($creates: JSON!, $updates: JSON!) {
  saveAccounts(input: { creates: $creates, updates: $updates }) { result { rowId } } }`
const TREE = 'mutation ($accounts: JSON!) { createAccountTrees(input: { accounts: $accounts }) { result } }'

export const POSTGRAPHILE_WORKS: PeerWorks = {
  read: {
    shot: (n, ids) => ask(READ, { id: ids[spread(n, ids)] }),
    rows: ({ data }) => [data.accountByRowId.benchKey],
    expected: one,
  },
  filter: {
    shot: (n, ids) => ask(FILTER, { revenue: String(revenueAbove(n, ids)) }),
    rows: ({ data }) => data.allAccounts.nodes.map(({ annualrevenue }: Answer) => annualrevenue),
    expected: fifty,
  },
  page: postgraphilePage,
  walk: { ...postgraphilePage, pages: walkPostgraphile, expected: all },
  graphql: {
    shot: (n) => ask(CONTACTS, { name: `Contact ${n % LAST_NAMES}` }),
    rows: ({ data }) =>
      data.allContacts.nodes.map(({ accountByAccountid }: Answer) => accountByAccountid?.name),
    expected: namesakes,
  },
  update: {
    shot: (n, ids) =>
      ask(UPDATE, {
        id: ids[spread(n, ids)],
        patch: { industry: 'Retail', annualrevenue: String(n % 5000) },
      }),
    rows: ({ data }) => [data.updateAccountByRowId.account.rowId],
    expected: one,
  },
  upsert: {
    shot: (n, ids) =>
      ask(UPSERT, { input: { benchKey: keyOf(n, ids), name: `Load ${n}`, industry: 'Energy' } }),
    rows: ({ data }) => [data.upsertAccount.result.rowId],
    expected: one,
  },
  create: {
    shot: (n) =>
      ask(CREATE, {
        account: {
          name: `Load ${n}`,
          industry: 'Energy',
          annualrevenue: '1000',
          benchKey: `created-${n}`,
        },
      }),
    rows: ({ data }) => [data.createAccount.account.rowId],
    expected: one,
  },
  // Twenty-five mutations of one document would be twenty-five transactions.
  composite: {
    shot: (n, ids) =>
      ask(SAVE, {
        creates: list(CREATES, (at) => ({
          name: `Load ${n}`,
          industry: 'Energy',
          annualrevenue: 1000,
          bench_key: `composite-${n}-${at}`,
        })),
        updates: updatedIds(n, ids).map((id) => ({ id, industry: 'Retail', annualrevenue: n % 5000 })),
      }),
    rows: ({ data }) => data.saveAccounts.result.map(({ rowId }: Answer) => rowId),
    expected: steps,
  },
  // Aliased mutations could not refer to the accounts of the same document.
  tree: {
    shot: (n) =>
      ask(TREE, {
        accounts: list(TREES, () => ({
          name: `Load ${n}`,
          industry: 'Energy',
          contacts: list(CHILDREN, () => ({ firstname: 'Ada', lastname: 'King', email: 'ada@example.com' })),
        })),
      }),
    rows: ({ data }) => data.createAccountTrees.result,
    expected: nodes,
  },
}

/* Parse Server: REST with the master key, which spares it the look at sessions and permissions. */

const CLASSES = '/parse/classes'

const find = (className: string, parameters: Readonly<Record<string, string>>): Shot => ({
  method: 'GET',
  path: `${CLASSES}/${className}?${new URLSearchParams(parameters)}`,
})

/** All or nothing. Its steps run in no order, so none may need what another one makes. */
const batch = (requests: readonly Shot[]): Shot => ({
  method: 'POST',
  path: '/parse/batch',
  body: { transaction: true, requests },
})

const findPage = (parameters: Readonly<Record<string, string>>) =>
  find('Account', {
    order: 'objectId',
    limit: String(PAGE_SIZE),
    keys: 'name,industry,annualRevenue,benchKey,createdAt',
    ...parameters,
  })

const batched = (answer: Answer) =>
  answer.map(({ success }: Answer) => success?.objectId ?? success?.updatedAt)

/** The total of a query without conditions is an estimate, that of the last time PostgreSQL analyzed the table. */
const parsePage: PeerWork = {
  shot: () => findPage({ count: '1' }),
  rows: ({ results, count }) => (count === 0 ? [] : results.map(({ objectId }: Answer) => objectId)),
  expected: pageful,
}

/** By key, because `skip` reads all that it leaves out. */
function* walkParse(): Generator<Shot, void, string> {
  let answer = yield parsePage.shot(0, [])
  const total = Number(/"count":(\d+)/.exec(answer)![1])
  for (let read = PAGE_SIZE; read < total; read += PAGE_SIZE) {
    const last = /.*"objectId":"(\w+)"/s.exec(answer)?.[1]
    answer = yield findPage({ where: JSON.stringify({ objectId: { $gt: last } }) })
  }
}

const accountPath = (id: string) => `${CLASSES}/Account/${id}`

export const PARSE_WORKS: PeerWorks = {
  read: {
    shot: (n, ids) => ({
      method: 'GET',
      path: `${accountPath(ids[spread(n, ids)]!)}?keys=name,industry,annualRevenue,benchKey`,
    }),
    rows: ({ benchKey }) => [benchKey],
    expected: one,
  },
  filter: {
    shot: (n, ids) =>
      find('Account', {
        where: JSON.stringify({ industry: 'Energy', annualRevenue: { $gt: revenueAbove(n, ids) } }),
        order: '-annualRevenue',
        limit: '50',
        keys: 'name,industry,annualRevenue',
      }),
    rows: ({ results }) => results.map(({ annualRevenue }: Answer) => annualRevenue),
    expected: fifty,
  },
  page: parsePage,
  walk: { ...parsePage, pages: walkParse, expected: all },
  // It has GraphQL, too, which calls the same REST inside and costs more.
  graphql: {
    shot: (n) =>
      find('Contact', {
        where: JSON.stringify({ lastName: `Contact ${n % LAST_NAMES}` }),
        order: 'objectId',
        limit: '50',
        include: 'account',
        keys: 'lastName,email,createdAt,account.name',
      }),
    rows: ({ results }) => results.map(({ account }: Answer) => account?.name),
    expected: namesakes,
  },
  update: {
    shot: (n, ids) => ({
      method: 'PUT',
      path: accountPath(ids[spread(n, ids)]!),
      body: { industry: 'Retail', annualRevenue: n % 5000 },
    }),
    rows: ({ updatedAt }) => [updatedAt],
    expected: one,
  },
  upsert: {
    shot: (n, ids) => ({
      method: 'POST',
      path: '/parse/functions/upsertAccount',
      body: { benchKey: keyOf(n, ids), name: `Load ${n}`, industry: 'Energy' },
    }),
    rows: ({ result }) => [result.objectId],
    expected: one,
  },
  create: {
    shot: (n) => ({
      method: 'POST',
      path: `${CLASSES}/Account`,
      body: { name: `Load ${n}`, industry: 'Energy', annualRevenue: 1000, benchKey: `created-${n}` },
    }),
    rows: ({ objectId }) => [objectId],
    expected: one,
  },
  composite: {
    shot: (n, ids) =>
      batch([
        ...list(
          CREATES,
          (at): Shot => ({
            method: 'POST',
            path: `${CLASSES}/Account`,
            body: {
              name: `Load ${n}`,
              industry: 'Energy',
              annualRevenue: 1000,
              benchKey: `composite-${n}-${at}`,
            },
          }),
        ),
        ...updatedIds(n, ids).map(
          (id): Shot => ({
            method: 'PUT',
            path: accountPath(id),
            body: { industry: 'Retail', annualRevenue: n % 5000 },
          }),
        ),
      ]),
    rows: batched,
    expected: steps,
  },
  // `saveAll` would be one transaction for the accounts and one for the contacts.
  tree: {
    shot: (n) => {
      const accounts = list(TREES, (at) => makeRecordId('001', n * TREES + at))
      return batch([
        ...accounts.map(
          (objectId): Shot => ({
            method: 'POST',
            path: `${CLASSES}/Account`,
            body: { objectId, name: `Load ${n}`, industry: 'Energy' },
          }),
        ),
        ...accounts.flatMap((objectId) =>
          list(
            CHILDREN,
            (): Shot => ({
              method: 'POST',
              path: `${CLASSES}/Contact`,
              body: {
                firstName: 'Ada',
                lastName: 'King',
                email: 'ada@example.com',
                account: { __type: 'Pointer', className: 'Account', objectId },
              },
            }),
          ),
        ),
      ])
    },
    rows: batched,
    expected: nodes,
  },
}
