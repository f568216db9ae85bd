import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { openEngine } from '../src/storage/open-engine.ts'
import { makeDatabase } from './database.ts'
import { makeDataset } from './dataset.ts'
import { addAccountKey, fillContacts } from './graphql.sql.ts'
import { startPostgraphile } from './postgraphile.ts'
import { type BenchServer, startOurs, startServer } from './server.ts'

/*
 * `node bench/graphql.ts`: fifty records by GraphQL, against the same records by REST from the same server, by GraphQL from
 * PostGraphile over the same tables, and by a hand-written answer (the baseline). The sides take turns. It stops when their answers differ.
 * Options: --contacts 100000 (the most there are), --seconds 2, --rounds 5, --concurrency 1,16, --only page,variables,
 * --sides baseline,rest,graphql,postgraphile. PostgreSQL is the one of BENCH_DATABASE_URL, in a database of its own.
 */
const SIDES = ['baseline', 'rest', 'graphql', 'postgraphile'] as const
type Side = (typeof SIDES)[number]

/** A request, without what all of them have. */
interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

interface Work {
  /** How many values the fifty records have, their children's included. */
  readonly values: number
  /** The name is another one each time; who has no use for it asks the same again. */
  readonly asks: Readonly<Record<Side, (name: string) => Ask>>
}

const DATA = '/services/data/v66.0'

const rest = (soql: string): Ask => ({ method: 'GET', path: `${DATA}/query?q=${encodeURIComponent(soql)}` })

const baseline = (what: string, body: object): Ask => ({
  method: 'POST',
  path: `/graphql/${what}`,
  body: JSON.stringify(body),
})

const post = (path: string, query: string, variables?: object): Ask => ({
  method: 'POST',
  path,
  body: JSON.stringify({ query, variables }),
})
const graphql = (query: string, variables?: object) => post(`${DATA}/graphql`, query, variables)
const postgraphile = (query: string, variables?: object) => post('/graphql', query, variables)

const PAGE = {
  soql: 'SELECT Id, LastName, Email, Title, Phone, CreatedDate, Account.Name FROM Contact',
  graphql: `edges { node { Id LastName { value } Email { value } Title { value } Phone { value } CreatedDate { value }
    Account { Name { value } } } }`,
  postgraphile: 'nodes { rowId lastname email title phone createddate accountByAccountid { name } }',
}

/** Fields of a page, the parent's name among them. */
const PAGE_VALUES = 50 * 7

const page: Work = {
  values: PAGE_VALUES,
  asks: {
    baseline: () => baseline('contacts', {}),
    rest: () => rest(`${PAGE.soql} LIMIT 50`),
    graphql: () => graphql(`query { uiapi { query { Contact(first: 50) { ${PAGE.graphql} } } } }`),
    postgraphile: () => postgraphile(`query { allContacts(first: 50) { ${PAGE.postgraphile} } }`),
  },
}

/** Texts have no variables in REST: there the name is a part of the query. */
const variables: Work = {
  values: PAGE_VALUES,
  asks: {
    baseline: (name) => baseline('contacts', { name }),
    rest: (name) => rest(`${PAGE.soql} WHERE LastName > '${name}' LIMIT 50`),
    graphql: (name) =>
      graphql(
        `query ($n: Int, $name: String) {
          uiapi { query { Contact(first: $n, where: { LastName: { gt: $name } }) { ${PAGE.graphql} } } }
        }`,
        { n: 50, name },
      ),
    postgraphile: (name) =>
      postgraphile(
        `query ($n: Int, $name: String) {
          allContacts(first: $n, condition: { lastnameAfter: $name }) { ${PAGE.postgraphile} }
        }`,
        { n: 50, name },
      ),
  },
}

/** Fifty accounts with five contacts each. */
const children: Work = {
  values: 50 * (2 + 5 * 3),
  asks: {
    baseline: () => baseline('accounts', {}),
    rest: () =>
      rest('SELECT Id, Name, (SELECT Id, LastName, Email FROM Contacts LIMIT 5) FROM Account LIMIT 50'),
    graphql: () =>
      graphql(
        `query { uiapi { query { Account(first: 50) { edges { node { Id Name { value }
          Contacts(first: 5) { edges { node { Id LastName { value } Email { value } } } } } } } } } }`,
      ),
    postgraphile: () =>
      postgraphile(
        `query { allAccounts(first: 50) { nodes { rowId name
          contactsByAccountid(first: 5) { nodes { rowId lastname email } } } } }`,
      ),
  },
}

const WORKS: Readonly<Record<string, Work>> = { page, variables, children }

const say = (text: string) => process.stderr.write(`${text}\n`)

let serial = 0

/** Another name each time. About as many of the first contacts come after it, whichever it is. */
const anyName = () => `Contact 1${String((serial++ * 7919) % 100_000).padStart(5, '0')}`

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '1,16' },
    only: { type: 'string', default: Object.keys(WORKS).join(',') },
    sides: { type: 'string', default: SIDES.join(',') },
  },
})

/** A side with the process that answers it. */
interface Target {
  readonly side: Side
  readonly server: BenchServer
  readonly headers: Record<string, string>
}

/** Members that say something about records. */
const ABOUT = ['attributes', 'totalSize', 'done']

/** The values of an answer in their order; times in milliseconds, because each side writes them in its own way. */
function collectValues(answer: unknown): unknown[] {
  if (typeof answer === 'string' && /^\d{4}-\d\d-\d\dT/.test(answer)) return [Date.parse(answer)]
  if (typeof answer !== 'object' || answer === null) return [answer]
  return Object.entries(answer).flatMap(([name, value]) => (ABOUT.includes(name) ? [] : collectValues(value)))
}

/** The bytes of each side's answer. All sides have to give the same values, and as many as there are to be. */
async function compare(
  targets: readonly Target[],
  { asks, values }: Work,
): Promise<Readonly<Record<string, number>>> {
  const name = anyName()
  const bytes: Record<string, number> = {}
  let expected: string | undefined
  for (const { side, server, headers } of targets) {
    const { path, method, body } = asks[side](name)
    const response = await fetch(server.origin + path, { method, body: body ?? null, headers })
    const text = await response.text()
    const found = response.ok ? collectValues(JSON.parse(text)) : []
    if (found.length !== values || found.some((value) => value === null || value === '')) {
      throw new Error(`${side} does not give ${values} values: ${response.status} ${text.slice(0, 1000)}`)
    }
    expected ??= JSON.stringify(found)
    if (JSON.stringify(found) !== expected) {
      throw new Error(`${side} gives other records: ${text.slice(0, 1000)}`)
    }
    bytes[side] = text.length
  }
  return bytes
}

/** Answers per second, and the processor time of one in milliseconds. */
interface Measure {
  readonly rate: number
  readonly cpu: number
}

/** How many different requests are made ready before a load, so that making them is no part of it. */
const PREPARED = 500

/**
 * Fires one kind of request from many connections. It fails when there is an answer with another status, or when they
 * are less than half as long as they should be: a 200 may hold an error.
 */
async function fire(
  { side, server, headers }: Target,
  { asks }: Work,
  bytes: number,
  connections: number,
): Promise<Measure> {
  const ready = Array.from({ length: PREPARED }, () => ({
    ...asks[side](anyName()),
    headers: { ...headers },
  }))
  const cpu = server.cpu()
  const load = { url: server.origin, connections, duration: Number(options.seconds), requests: ready }
  const { requests, duration, errors, timeouts, non2xx, throughput } = await autocannon(load)
  if (non2xx > 0 || throughput.total < (requests.total * bytes) / 2) {
    throw new Error(
      `${side} fails under load: ${non2xx} refused, ${throughput.total} bytes in ${requests.total}`,
    )
  }
  if (errors + timeouts > 0) throw new Error(`${side}: ${errors + timeouts} requests without an answer`)
  return { rate: requests.total / duration, cpu: (server.cpu() - cpu) / requests.total }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]

/** The median; nothing for a side that does not take part. */
function show(values: readonly number[], digits: number): string {
  const middle = median(values) ?? Number.NaN
  return Number.isNaN(middle) ? '' : middle.toFixed(digits)
}

/** One line of the table. */
async function measure(targets: readonly Target[], name: string, connections: number): Promise<string> {
  const work = WORKS[name]!
  const bytes = await compare(targets, work)
  const measures: Record<Side, Measure[]> = { baseline: [], rest: [], graphql: [], postgraphile: [] }
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const target of targets) {
      say(`${name}, ${connections} at once, ${target.side}, round ${round}`)
      const measured = await fire(target, work, bytes[target.side]!, connections)
      // The first round warms up.
      if (round > 0) measures[target.side].push(measured)
    }
  }
  const rates = (side: Side) => measures[side].map(({ rate }) => rate)
  const ratios = (other: Side) =>
    rates('graphql').map((rate, round) => rate / (rates(other)[round] ?? Number.NaN))
  const cells = [
    name,
    connections,
    ...SIDES.map((side) => show(rates(side), 0)),
    show(ratios('baseline'), 2),
    show(ratios('rest'), 2),
    show(ratios('postgraphile'), 2),
    SIDES.map((side) =>
      show(
        measures[side].map(({ cpu }) => cpu),
        3,
      ),
    ).join(', '),
  ]
  return `| ${cells.join(' | ')} |`
}

const database = await makeDatabase()
const servers: BenchServer[] = []
try {
  say(`Preparing ${options.contacts} contacts`)
  const engine = await openEngine({ databaseUrl: database.url, poolSize: 2, data: '' })
  // Each account has five contacts.
  const { org, token } = await makeDataset(engine, Math.ceil(Number(options.contacts) / 5))
  for (const statement of fillContacts(org)) await engine.db.script([statement])
  if (options.sides.split(',').includes('postgraphile')) await engine.db.script([addAccountKey(org)])
  await engine.close()

  const ours = await startOurs({ DATABASE_URL: database.url })
  servers.push(ours)
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' }
  const authorized = { ...headers, authorization: `Bearer ${token}` }
  const targets: Target[] = []
  for (const side of SIDES.filter((name) => options.sides.split(',').includes(name))) {
    if (side === 'baseline') {
      const server = await startServer('bench/graphql-baseline.ts', [], {
        BASELINE_DATABASE_URL: database.url,
        BASELINE_SCHEMA: org.schemaName,
      })
      servers.push(server)
      targets.push({ side, server, headers })
    } else if (side === 'postgraphile') {
      const server = await startPostgraphile(database.url, org.schemaName)
      servers.push(server)
      targets.push({ side, server, headers })
    } else targets.push({ side, server: ours, headers: authorized })
  }
  console.log(
    '| work | at once | baseline/s | rest/s | graphql/s | postgraphile/s | graphql / baseline | graphql / rest (asked 0.6) | graphql / postgraphile (asked 2.5) | CPU ms per request: baseline, rest, graphql, postgraphile |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const name of options.only.split(',')) {
    for (const connections of options.concurrency.split(',').map(Number)) {
      console.log(await measure(targets, name, connections))
    }
  }
} finally {
  for (const server of servers) await server.stop()
  await database.drop()
}
