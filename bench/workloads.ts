import autocannon from 'autocannon'
import type { Dataset } from './dataset.ts'

/** What one run measured. */
export interface Measure {
  /** Requests per second; pages per second for a walk. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly requests: number
  /** Of a walk: times of its first and of its last full page, in milliseconds. */
  readonly first?: number | undefined
  readonly last?: number | undefined
}

export interface Target {
  readonly origin: string
  /** `/services/data/v64.0` for ours, nothing for the baseline. */
  readonly prefix: string
  readonly ours: boolean
}

export type Workload = (
  target: Target,
  data: Dataset,
  concurrency: number,
  seconds: number,
) => Promise<Measure>

/** Nothing is packed: the baseline does not, so it would be measured on one side only. */
const makeHeaders = (data: Dataset) => ({
  'accept-encoding': 'identity',
  authorization: `Bearer ${data.token}`,
  'content-type': 'application/json',
})

const account = (n: number) => ({
  Name: `Load ${n}`,
  Industry: 'Energy',
  NumberOfEmployees: n % 5000,
})

let serial = 0

interface Shot {
  readonly path: string
  readonly body?: object
}

/** Fires one kind of request from many connections. A single answer above 299 fails the bench. */
async function fire(
  { origin, prefix }: Target,
  data: Dataset,
  concurrency: number,
  seconds: number,
  method: 'GET' | 'POST' | 'PATCH',
  shot: () => Shot,
): Promise<Measure> {
  const headers = makeHeaders(data)
  let refusal = ''
  const result = await autocannon({
    url: origin,
    connections: concurrency,
    duration: seconds,
    requests: [
      {
        method,
        onResponse: (status, body) => {
          if (status > 299) refusal = `${status} ${body}`
        },
        setupRequest: (request) => {
          const { path, body } = shot()
          const sent = body === undefined ? undefined : JSON.stringify(body)
          return { ...request, path: prefix + path, headers, body: sent }
        },
      },
    ],
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} requests of ${method} failed: ${refusal}`)
  const { total } = result.requests
  return { rate: total / result.duration, requests: total, p50: result.latency.p50, p99: result.latency.p99 }
}

/** Spread over all accounts, so that neighbours in time are not neighbours on disk. */
const pick = (data: Dataset) => data.ids[(serial++ * 7919) % data.ids.length]!

const create: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'POST', () => ({
    path: '/sobjects/Account',
    body: {
      ...account(serial++),
      AnnualRevenue: 1000,
      BillingCity: 'Oslo',
      Bench_Key__c: `c${process.pid}-${serial}`,
    },
  }))

const read: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'GET', () => ({ path: `/sobjects/Account/${pick(data)}` }))

const update: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'PATCH', () => ({
    path: `/sobjects/Account/${pick(data)}`,
    body: { Industry: 'Retail', NumberOfEmployees: serial % 5000 },
  }))

/** Half of the keys are new, half are there. */
const upsert: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'PATCH', () => {
    const n = serial++
    const key = n % 2 === 0 ? `u${process.pid}-${n}` : `key-${1 + (n % 50_000)}`
    return { path: `/sobjects/Account/Bench_Key__c/${key}`, body: account(n) }
  })

const accountBody = () => ({ ...account(serial++), BillingCity: 'Oslo', Phone: '+47 22 00 00 00' })

/** Steps that create one account each. */
const steps = (count: number, data: string) =>
  Array.from({ length: count }, (_, n) => ({
    method: 'POST',
    url: `${data}/sobjects/Account`,
    referenceId: `r${n}`,
    body: accountBody(),
  }))

/** 25 accounts in one call, all or nothing; by hand one transaction with an INSERT each. */
const composite: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'POST', () => ({
    path: '/composite',
    body: { allOrNone: true, compositeRequest: steps(25, '/services/data/v64.0') },
  }))

/** As many graphs and nodes as one call may have; by hand one transaction for each graph. */
const graph: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'POST', () => ({
    path: '/composite/graph',
    body: {
      graphs: Array.from({ length: 50 }, (_, n) => ({
        graphId: `g${n}`,
        compositeRequest: steps(10, '/services/data/v64.0'),
      })),
    },
  }))

const attributes = (type: string) => ({ type, referenceId: `r${serial++}` })

/** 40 accounts with four contacts each; by hand one transaction with an INSERT for each level. */
const tree: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'POST', () => ({
    path: '/composite/tree/Account',
    body: {
      records: Array.from({ length: 40 }, () => ({
        attributes: attributes('Account'),
        ...accountBody(),
        Contacts: {
          records: Array.from({ length: 4 }, () => ({
            attributes: attributes('Contact'),
            FirstName: 'Ada',
            LastName: 'King',
            Email: 'ada@example.com',
          })),
        },
      })),
    },
  }))

/** 200 accounts in one call; by hand one INSERT. */
const collection: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'POST', () => ({
    path: '/composite/sobjects',
    body: {
      records: Array.from({ length: 200 }, () => ({ attributes: { type: 'Account' }, ...accountBody() })),
    },
  }))

const PAGE_QUERY =
  'SELECT Id, Name, Industry, NumberOfEmployees, AnnualRevenue, BillingCity, Bench_Key__c, OwnerId, CreatedDate, SystemModstamp FROM Account'

const queryPath = (target: Target, limited: boolean) =>
  target.ours
    ? `/query?q=${encodeURIComponent(PAGE_QUERY + (limited ? ' LIMIT 2000' : ''))}`
    : `/query${limited ? '?limit=2000' : ''}`

const page: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'GET', () => ({ path: queryPath(target, true) }))

/** A query as ours takes it; the baseline has a path for each. */
const query =
  (baselinePath: string, text: string): Workload =>
  (target, data, concurrency, seconds) => {
    const path = target.ours ? `/query?q=${encodeURIComponent(text)}` : baselinePath
    return fire(target, data, concurrency, seconds, 'GET', () => ({ path }))
  }

const parents = query(
  '/contacts',
  'SELECT Id, LastName, Email, Account.Name, Account.Industry, Account.Owner.Name FROM Contact LIMIT 2000',
)

const children = query(
  '/accounts-with-contacts',
  'SELECT Id, Name, (SELECT Id, LastName, Email FROM Contacts) FROM Account LIMIT 200',
)

/** Fifty rows in the order of an index, from a place that is another each time. */
const ordered: Workload = (target, data, concurrency, seconds) =>
  fire(target, data, concurrency, seconds, 'GET', () => {
    const from = `key-${1 + ((serial++ * 7919) % data.ids.length)}`
    const text = `SELECT Id, Name, Bench_Key__c FROM Account WHERE Bench_Key__c >= '${from}' ORDER BY Bench_Key__c LIMIT 50`
    return { path: target.ours ? `/query?q=${encodeURIComponent(text)}` : `/accounts-from/${from}` }
  })

/** Follows the pages to the end; only as much of a page is read as it takes to find the next one. */
async function walkOnce({ origin, prefix, ...target }: Target, data: Dataset): Promise<number[]> {
  const times: number[] = []
  let next: string | undefined = prefix + queryPath({ origin, prefix, ...target }, false)
  while (next !== undefined) {
    const start = performance.now()
    const response = await fetch(origin + next, { headers: makeHeaders(data) })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    times.push(performance.now() - start)
    next = /"nextRecordsUrl":"([^"]+)"/.exec(text.slice(0, 500))?.[1]
  }
  return times
}

const quantile = (sorted: readonly number[], q: number) => sorted[Math.floor((sorted.length - 1) * q)]!
const median = (values: readonly number[]) =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )

const walk: Workload = async (target, data, concurrency) => {
  const start = performance.now()
  const walks = await Promise.all(Array.from({ length: concurrency }, () => walkOnce(target, data)))
  const seconds = (performance.now() - start) / 1000
  const sorted = walks.flat().sort((a, b) => a - b)
  return {
    rate: sorted.length / seconds,
    requests: sorted.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    // The very last page is short: the one before it is the last full one.
    last: median(walks.map((times) => times.at(-2)!)),
    first: median(walks.map((times) => times[0]!)),
  }
}

/** In the order in which they run: what adds records comes last. */
export const WORKLOADS: Readonly<Record<string, Workload>> = {
  read,
  page,
  parents,
  children,
  ordered,
  walk,
  update,
  upsert,
  create,
  composite,
  collection,
  tree,
  graph,
}
