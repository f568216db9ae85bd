import { LAST_NAMES } from './dataset.ts'

/** Where the API of records is. */
const DATA = '/services/data/v64.0'

/** One request. */
export interface Shot {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly path: string
  /** The path at the baseline, which has no query language. Absent: the same. */
  readonly baselinePath?: string
  readonly body?: object
}

/** A ratio of rates that ours is to have against the baseline. */
export interface Target {
  readonly required: number
  readonly goal: number
}

export interface Workload {
  readonly title: string
  /** Absent: the baseline has no such object, and the work is measured against another checkout only. */
  readonly target?: Target
  /** The n-th request, given the ids of all accounts. */
  readonly shot: (n: number, ids: readonly string[]) => Shot
  /** True if each connection follows the pages from there to the last one. */
  readonly isWalk?: boolean
}

/** A workload with the name that `--only` knows it by. */
export interface NamedWorkload extends Workload {
  readonly name: string
}

/** Spread over all accounts, so that neighbours in time are not neighbours on disk. */
export const spread = (n: number, ids: readonly string[]) => (n * 7919) % ids.length

const query = (text: string) => `${DATA}/query?q=${encodeURIComponent(text)}`

const makeAccount = (n: number) => ({ Name: `Load ${n}`, Industry: 'Energy', AnnualRevenue: 1000 })

const READ_FIELDS = 'Id,Name,Industry,AnnualRevenue,Bench_Key__c'

const read: Workload = {
  title: 'read by id, 5 fields',
  target: { required: 0.75, goal: 0.95 },
  shot: (n, ids) => ({
    method: 'GET',
    path: `${DATA}/sobjects/Account/${ids[spread(n, ids)]}?fields=${READ_FIELDS}`,
  }),
}

const create: Workload = {
  title: 'create',
  target: { required: 0.85, goal: 1.1 },
  shot: (n) => ({
    method: 'POST',
    path: `${DATA}/sobjects/Account`,
    body: { ...makeAccount(n), Bench_Key__c: `created-${n}` },
  }),
}

const update: Workload = {
  title: 'update',
  target: { required: 0.7, goal: 0.95 },
  shot: (n, ids) => ({
    method: 'PATCH',
    path: `${DATA}/sobjects/Account/${ids[spread(n, ids)]}`,
    body: { Industry: 'Retail', AnnualRevenue: n % 5000 },
  }),
}

/** Half of the keys are new, half are there. */
const upsert: Workload = {
  title: 'upsert by external key',
  target: { required: 0.65, goal: 0.9 },
  shot: (n, ids) => ({
    method: 'PATCH',
    path: `${DATA}/sobjects/Account/Bench_Key__c/${n % 2 === 0 ? `new-${n}` : `key-${1 + spread(n, ids)}`}`,
    body: { Name: `Load ${n}`, Industry: 'Energy' },
  }),
}

/** The condition is another one each time. */
const filter: Workload = {
  title: 'filter and order, 50 rows',
  target: { required: 0.8, goal: 1 },
  shot: (n, ids) => {
    const revenue = Math.floor(spread(n, ids) / 2) * 10
    return {
      method: 'GET',
      path: query(
        `SELECT Id, Name, Industry, AnnualRevenue FROM Account WHERE Industry = 'Energy' AND AnnualRevenue > ${revenue} ORDER BY AnnualRevenue DESC LIMIT 50`,
      ),
      baselinePath: `${DATA}/accounts-above/${revenue}`,
    }
  },
}

const firstPage: Shot = {
  method: 'GET',
  path: query('SELECT Id, Name, Industry, AnnualRevenue, Bench_Key__c, CreatedDate FROM Account'),
  baselinePath: `${DATA}/accounts`,
}

const page: Workload = {
  title: 'first page of 2,000 with total',
  target: { required: 1.4, goal: 2 },
  shot: () => firstPage,
}

const walk: Workload = {
  title: 'walk of all accounts, pages',
  target: { required: 0.9, goal: 1 },
  shot: () => firstPage,
  isWalk: true,
}

const DOCUMENT = `query ($name: String) { uiapi { query { Contact(first: 50, where: { LastName: { eq: $name } }) {
  edges { node { Id LastName { value } Email { value } CreatedDate { value } Account { Name { value } } } } } } } }`

const graphql: Workload = {
  title: 'GraphQL, 50 rows with parent',
  target: { required: 0.65, goal: 0.9 },
  shot: (n) => ({
    method: 'POST',
    path: `${DATA}/graphql`,
    body: { query: DOCUMENT, variables: { name: `Contact ${n % LAST_NAMES}` } },
  }),
}

const composite: Workload = {
  title: 'composite of 15 creates, 10 updates',
  target: { required: 0.8, goal: 1 },
  shot: (n, ids) => {
    const step = (method: string, path: string, at: number, body: object) => ({
      method,
      url: `${DATA}/sobjects/Account${path}`,
      referenceId: `step${at}`,
      body,
    })
    const creates = Array.from({ length: 15 }, (_, at) =>
      step('POST', '', at, { ...makeAccount(n), Bench_Key__c: `composite-${n}-${at}` }),
    )
    const updates = Array.from({ length: 10 }, (_, at) =>
      step('PATCH', `/${ids[spread(n * 10 + at, ids)]}`, 15 + at, {
        Industry: 'Retail',
        AnnualRevenue: n % 5000,
      }),
    )
    return {
      method: 'POST',
      path: `${DATA}/composite`,
      body: { allOrNone: true, compositeRequest: [...creates, ...updates] },
    }
  },
}

const contacts = (prefix: string) =>
  Array.from({ length: 4 }, (_, contact) => ({
    attributes: { type: 'Contact', referenceId: `${prefix}contact${contact}` },
    FirstName: 'Ada',
    LastName: 'King',
    Email: 'ada@example.com',
  }))

const tree: Workload = {
  title: 'tree of 200 records',
  target: { required: 0.6, goal: 0.85 },
  shot: (n) => ({
    method: 'POST',
    path: `${DATA}/composite/tree/Account`,
    body: {
      records: Array.from({ length: 40 }, (_, account) => ({
        attributes: { type: 'Account', referenceId: `account${account}` },
        Name: `Load ${n}`,
        Industry: 'Energy',
        Contacts: { records: contacts(`account${account}`) },
      })),
    },
  }),
}

const contact: Workload = {
  title: 'create a contact',
  shot: (n, ids) => ({
    method: 'POST',
    path: `${DATA}/sobjects/Contact`,
    body: { LastName: `Load ${n}`, AccountId: ids[spread(n, ids)] },
  }),
}

const opportunity: Workload = {
  title: 'create an opportunity',
  shot: (n, ids) => ({
    method: 'POST',
    path: `${DATA}/sobjects/Opportunity`,
    body: {
      Name: `Load ${n}`,
      AccountId: ids[spread(n, ids)],
      StageName: 'Prospecting',
      CloseDate: '2026-12-01',
      Amount: 100,
    },
  }),
}

const task: Workload = {
  title: 'create a closed task',
  shot: (n, ids) => ({
    method: 'POST',
    path: `${DATA}/sobjects/Task`,
    body: {
      Subject: `Load ${n}`,
      WhatId: ids[spread(n, ids)],
      Status: 'Completed',
      ActivityDate: '2026-11-20',
    },
  }),
}

const creates: Workload = {
  title: 'composite of 25 creates',
  shot: (n) => ({
    method: 'POST',
    path: `${DATA}/composite`,
    body: {
      allOrNone: true,
      compositeRequest: Array.from({ length: 25 }, (_, step) => ({
        method: 'POST',
        url: `${DATA}/sobjects/Account`,
        referenceId: `step${step}`,
        body: { ...makeAccount(n), Bench_Key__c: `creates-${n}-${step}` },
      })),
    },
  }),
}

/** Work that two checkouts of this project are compared by: what objects derive and keep has its cost. */
export const OWN_WORKLOADS: Readonly<Record<string, Workload>> = {
  contact,
  opportunity,
  task,
  creates,
}

/** In the order in which they run: what adds records comes last. */
export const WORKLOADS: Readonly<Record<string, Workload>> = {
  read,
  filter,
  page,
  walk,
  graphql,
  update,
  upsert,
  create,
  composite,
  tree,
}
