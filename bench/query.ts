import { parseArgs } from 'node:util'
import pg from 'pg'
import { runQuery } from '../src/soql/run-query.ts'
import { openEngine } from '../src/storage/open-engine.ts'
import { makeContext } from './context.ts'
import { makeDatabase } from './database.ts'
import { makeDataset } from './dataset.ts'
import {
  accountsFrom,
  accountsWithContacts,
  contacts,
  makeResult,
  PAGE_COLUMNS,
  pageRecord,
  type Rows,
  type Table,
} from './handwritten.ts'

/*
 * `node bench/query.ts`: the query language without HTTP, from the text to the JSON of the answer,
 * against the same SQL sent through pg and written as the same JSON. Both sides take turns in one process.
 * Options: --accounts 100000, --seconds 1, --rounds 7, --concurrency 1,16, --only page,parents.
 */
const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '7' },
    concurrency: { type: 'string', default: '1,16' },
    only: { type: 'string' },
  },
})

const CONNECTIONS = 16
const NUMBERS = [20, 21, 23, 700, 701, 1700]

/** One piece of work, done by us and by hand. */
interface Work {
  readonly soql: () => string
  readonly baseline: (run: Rows, table: Table) => Promise<object[]>
}

const page: Work = {
  soql: () =>
    'SELECT Id, Name, Industry, NumberOfEmployees, AnnualRevenue, BillingCity, Bench_Key__c, OwnerId, CreatedDate, SystemModstamp FROM Account LIMIT 2000',
  async baseline(run, table) {
    const text = `select ${PAGE_COLUMNS} from ${table('account')} where not isdeleted order by id limit 2000`
    return (await run('page', text)).map(pageRecord)
  },
}

const parents: Work = {
  soql: () =>
    'SELECT Id, LastName, Email, Account.Name, Account.Industry, Account.Owner.Name FROM Contact LIMIT 2000',
  baseline: contacts,
}

const children: Work = {
  soql: () => 'SELECT Id, Name, (SELECT Id, LastName, Email FROM Contacts) FROM Account LIMIT 200',
  baseline: accountsWithContacts,
}

let serial = 0
const anyKey = () => `key-${1 + ((serial++ * 7919) % Number(options.accounts))}`

/** Fifty rows in the order of an index, from a key on. */
const ordered = (key: () => string): Work => ({
  soql: () =>
    `SELECT Id, Name, Bench_Key__c FROM Account WHERE Bench_Key__c >= '${key()}' ORDER BY Bench_Key__c LIMIT 50`,
  baseline: (run, table) => accountsFrom(run, table, key()),
})

const WORKS: Readonly<Record<string, Work>> = {
  page,
  parents,
  children,
  'ordered, the same text': ordered(() => 'key-7'),
  'ordered, another key each time': ordered(anyKey),
}

function openBaseline(url: string): { run: Rows; end(): Promise<void> } {
  const text = (value: string) => value
  const types = { getTypeParser: (oid: number) => (NUMBERS.includes(oid) ? Number : text) }
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    types: types as unknown as pg.CustomTypesConfig,
    options: '-c timezone=UTC',
  })
  // The database goes before its last connections do.
  pool.on('error', () => {})
  return {
    run: async (name, statement, values = []) => (await pool.query({ name, text: statement, values })).rows,
    end: () => pool.end(),
  }
}

/** Answers per second, and the processor time of one in milliseconds. */
async function measure(
  work: () => Promise<string>,
  concurrency: number,
): Promise<{ rate: number; cpu: number }> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const end = start + Number(options.seconds) * 1000
  let count = 0
  const client = async () => {
    while (performance.now() < end) {
      await work()
      count++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, client))
  const { user, system } = process.cpuUsage(cpu)
  return { rate: count / ((performance.now() - start) / 1000), cpu: (user + system) / 1000 / count }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const database = await makeDatabase()
const engine = await openEngine({ databaseUrl: database.url, poolSize: CONNECTIONS, data: '' })
const hand = openBaseline(database.url)
try {
  const data = await makeDataset(engine, Number(options.accounts))
  const ctx = await makeContext(engine.db, data.org, data.userId)
  const table = (name: string) => `"${data.org.schemaName}"."${name}"`
  console.log('| query | at once | ours/s | by hand/s | ours / by hand | CPU ms, ours, by hand |')
  console.log('|---|---|---|---|---|---|')
  for (const name of options.only?.split(',') ?? Object.keys(WORKS)) {
    const { soql, baseline } = WORKS[name]!
    const sides = {
      ours: async () => JSON.stringify(await runQuery(ctx, soql(), { pageSize: 2000, deletedToo: false })),
      baseline: async () => JSON.stringify(makeResult(await baseline(hand.run, table))),
    }
    if (name !== 'ordered, another key each time' && (await sides.ours()) !== (await sides.baseline())) {
      throw new Error(`${name}: the answers differ`)
    }
    for (const concurrency of options.concurrency.split(',').map(Number)) {
      const measures = { ours: [] as number[], baseline: [] as number[], ratios: [] as number[] }
      const cpu = { ours: [] as number[], baseline: [] as number[] }
      // The first round warms up.
      for (let round = 0; round <= Number(options.rounds); round++) {
        const theirs = await measure(sides.baseline, concurrency)
        const mine = await measure(sides.ours, concurrency)
        if (round === 0) continue
        measures.ours.push(mine.rate)
        measures.baseline.push(theirs.rate)
        measures.ratios.push(mine.rate / theirs.rate)
        cpu.ours.push(mine.cpu)
        cpu.baseline.push(theirs.cpu)
      }
      console.log(
        `| ${name} | ${concurrency} | ${median(measures.ours).toFixed(0)} | ${median(measures.baseline).toFixed(0)} | ${median(measures.ratios).toFixed(2)} | ${median(cpu.ours).toFixed(3)}, ${median(cpu.baseline).toFixed(3)} |`,
      )
    }
  }
} finally {
  await hand.end()
  await engine.close()
  await database.drop()
}
