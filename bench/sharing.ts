import { parseArgs } from 'node:util'
import pg from 'pg'
import { makeRecordId } from '../src/base/record-id.ts'
import { type FirstRecord, insertFirstRecords } from '../src/orgs/first-records.sql.ts'
import { deploySchema } from '../src/schema/change/deploy.ts'
import { runQuery } from '../src/soql/run-query.ts'
import { ACCOUNT } from '../src/standard/sales/account.ts'
import type { Db } from '../src/storage/database/db.ts'
import { openEngine } from '../src/storage/open-engine.ts'
import type { Org } from '../src/storage/orgs/org.ts'
import { makeContext } from './context.ts'
import { makeDatabase } from './database.ts'
import { makeDataset } from './dataset.ts'
import { makeResult, PAGE_COLUMNS, pageRecord, type Row } from './handwritten.ts'
import { sharingBenchSql } from './sharing.sql.ts'

/*
 * `node bench/sharing.ts`: queries of a private object by somebody who sees a thousand of its records, against the same
 * query with an owner filter written by hand for somebody who owns a thousand. Options: --accounts 1000000, --seconds 1,
 * --rounds 5.
 */
const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
  },
})

const VISIBLE = 1000

const FIELDS =
  'Id, Name, Industry, NumberOfEmployees, AnnualRevenue, BillingCity, Bench_Key__c, OwnerId, CreatedDate, SystemModstamp'

interface Work {
  readonly soql: string
  /** Behind the owner filter. */
  readonly baseline: string
  readonly columns?: string
}

const WORKS: Readonly<Record<string, Work>> = {
  'all of them, 10 fields': { soql: `SELECT ${FIELDS} FROM Account`, baseline: 'order by id limit 2001' },
  'those of one industry': {
    soql: `SELECT ${FIELDS} FROM Account WHERE Industry = 'Energy'`,
    baseline: `and upper(industry) collate "C" = 'ENERGY' order by id limit 2001`,
  },
  'the first 50 by name': {
    soql: `SELECT ${FIELDS} FROM Account ORDER BY Name LIMIT 50`,
    baseline: 'order by upper(name) collate "C" nulls first, id limit 50',
  },
  'how many': { soql: 'SELECT COUNT() FROM Account', baseline: '', columns: 'count(*)' },
}

async function addUsers(
  db: Db,
  org: Org,
  template: Row,
): Promise<Record<'owner' | 'mixed' | 'below', string>> {
  const ids = { owner: '005OB0000010001AAA', mixed: '005OB0000010002AAA', below: '005OB0000010003AAA' }
  const time = '2026-01-01T00:00:00Z'
  const admin = String(template.id)
  const add = async (record: FirstRecord) => {
    for (const statement of insertFirstRecords(org, [record], admin, time)) await db.query(statement)
  }
  const [top, low] = ['00EOB0000010001AAA', '00EOB0000010002AAA']
  await add({ table: 'userrole', values: { id: top, name: 'Top', opportunityaccessforaccountowner: 'Edit' } })
  await add({
    table: 'userrole',
    values: { id: low, name: 'Low', parentroleid: top, opportunityaccessforaccountowner: 'Edit' },
  })
  const [profile, set] = ['00eOB0000010001AAA', '0PSOB0000010001AAA']
  await add({ table: 'profile', values: { id: profile, name: 'Bench', permissionsapienabled: true } })
  await add({ table: 'permissionset', values: { id: set, name: 'X', label: 'X', profileid: profile } })
  await add({
    table: 'objectpermissions',
    values: {
      id: '110OB0000010001AAA',
      parentid: set,
      sobjecttype: 'Account',
      permissionsread: true,
      permissionsviewallfields: true,
    },
  })
  for (const [name, id] of Object.entries(ids)) {
    await add({
      table: 'user',
      values: {
        id,
        username: name,
        lastname: name,
        alias: name,
        email: `${name}@example.com`,
        isactive: true,
        profileid: profile,
        userroleid: name === 'below' ? low : name === 'mixed' ? top : null,
        localesidkey: 'en_US',
        languagelocalekey: 'en_US',
        timezonesidkey: 'GMT',
        emailencodingkey: 'UTF-8',
      },
    })
  }
  return ids
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const end = start + Number(options.seconds) * 1000
  let count = 0
  for (; performance.now() < end; count++) await work()
  return (performance.now() - start) / count
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const database = await makeDatabase()
const engine = await openEngine({ databaseUrl: database.url, poolSize: 4, data: '' })
const text = (value: string) => value
const NUMBERS = [20, 21, 23, 700, 701, 1700]
const types = { getTypeParser: (oid: number) => (NUMBERS.includes(oid) ? Number : text) }
const hand = new pg.Pool({
  connectionString: database.url,
  max: 4,
  types: types as unknown as pg.CustomTypesConfig,
  options: '-c timezone=UTC',
})
hand.on('error', () => {})
try {
  const { db } = engine
  console.error(`Making ${options.accounts} accounts`)
  const { org, userId, ids } = await makeDataset(engine, Number(options.accounts))
  await deploySchema(db, org, { objects: [{ ...ACCOUNT, sharing: 'private' }], mode: 'keep' })
  const users = await addUsers(db, org, { id: userId })
  const every = Math.floor(ids.length / (4 * VISIBLE))
  const take = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => ids[(first + 4 * n) * every]!)
  await db.query(sharingBenchSql.giveAway(org, users.owner, take(0, VISIBLE)))
  await db.query(sharingBenchSql.giveAway(org, users.mixed, take(1, 500)))
  await db.query(sharingBenchSql.giveAway(org, users.below, take(2, 300)))
  const shareIds = Array.from({ length: 200 }, (_, n) => makeRecordId('a00', 1_000_000_000 + n))
  await db.query(sharingBenchSql.share(org, users.mixed, shareIds, take(3, 200)))
  for (const statement of sharingBenchSql.vacuum(org)) await db.script([statement])

  const table = `"${org.schemaName}"."account"`
  console.log('| query | who | records | ours ms | by hand ms | ours / by hand |')
  console.log('|---|---|---|---|---|---|')
  for (const [name, { soql, baseline, columns = PAGE_COLUMNS }] of Object.entries(WORKS)) {
    const statement = `select ${columns} from ${table} where not isdeleted and ownerid = $1 ${baseline}`
    const baselineRun = async () => {
      const { rows } = await hand.query({ name, text: statement, values: [users.owner] })
      return columns === PAGE_COLUMNS
        ? JSON.stringify(makeResult(rows.map(pageRecord)))
        : JSON.stringify(rows)
    }
    for (const [who, id] of [
      ['owner of 1,000', users.owner],
      ['500 own, 300 below, 200 shared', users.mixed],
    ] as const) {
      const ctx = await makeContext(db, org, id)
      const ours = async () => runQuery(ctx, soql, { pageSize: 2000, deletedToo: false })
      const { totalSize } = await ours()
      const times = { ours: [] as number[], baseline: [] as number[] }
      for (let round = 0; round <= Number(options.rounds); round++) {
        const theirs = await measure(baselineRun)
        const mine = await measure(async () => JSON.stringify(await ours()))
        if (round === 0) continue
        times.ours.push(mine)
        times.baseline.push(theirs)
      }
      const [mine, theirs] = [median(times.ours), median(times.baseline)]
      console.log(
        `| ${name} | ${who} | ${totalSize} | ${mine.toFixed(2)} | ${theirs.toFixed(2)} | ${(mine / theirs).toFixed(2)} |`,
      )
    }
  }
} finally {
  await hand.end()
  await engine.close()
  await database.drop()
}
