import { join } from 'node:path'
import type { BuildStep, Reached } from '../src/orgs/upgrades/upgrade-step.ts'
import type { TableStatistics } from '../src/schema/statistics/table-statistics.ts'
import type { Engine } from '../src/storage/database/db.ts'
import type { openEngine } from '../src/storage/open-engine.ts'
import type { Dataset, makeDataset } from './dataset.ts'

/*
 * Fills a database by the code of a checkout, which may be another one than this: `node bench/seed.ts <folder> <accounts>
 * <contacts>`, the database in SEED_DATABASE_URL or SEED_DATA. It sends the dataset to its parent.
 */
const [folder, accounts, contacts] = process.argv.slice(2) as [string, string, string]
const load = (file: string) => import(join(folder, file))

const { openEngine: open } = (await load('src/storage/open-engine.ts')) as { openEngine: typeof openEngine }
const { makeDataset: make } = (await load('bench/dataset.ts')) as { makeDataset: typeof makeDataset }
const { deploySchema } = await load('src/schema/change/deploy.ts')
const { TableStatistics: Statistics } = (await load('src/schema/statistics/table-statistics.ts')) as {
  TableStatistics: typeof TableStatistics
}

/** Indexes for the workloads `filter` and `graphql`, as the definition of an object declares them. */
async function declareIndexes({ db }: Engine, { org }: Dataset): Promise<void> {
  const account = { name: 'Account', label: 'Account', labelPlural: 'Accounts', keyPrefix: '001', fields: [] }
  const contact = { name: 'Contact', label: 'Contact', labelPlural: 'Contacts', keyPrefix: '003', fields: [] }
  await deploySchema(db, org, {
    mode: 'keep',
    objects: [
      { ...account, searchable: 'indexed', indexes: [['AnnualRevenue']] },
      { ...contact, searchable: 'indexed', indexes: [['LastName']] },
    ],
  })
}

/** Indexes the words of the records, as a server does in the background; older checkouts do it as they deploy. */
async function indexWords(engine: Engine, { org }: Dataset): Promise<void> {
  const step = await load('src/orgs/upgrades/build-search-indexes.ts').catch(() => undefined)
  if (step === undefined) return
  const maintenance = await engine.openMaintenance()
  try {
    let reached: Reached = { isDone: false, progress: 0 }
    while (!reached.isDone)
      reached = await (step.SEARCH_INDEXES as BuildStep).run(maintenance, org, reached.position ?? null)
  } finally {
    await maintenance.close()
  }
}

const engine = await open({
  databaseUrl: process.env.SEED_DATABASE_URL,
  poolSize: 2,
  data: process.env.SEED_DATA ?? '',
})
const data = await make(engine, Number(accounts), Number(contacts))
await declareIndexes(engine, data)
await indexWords(engine, data)
// A server does this half a minute after such a load; the baseline analyzes its tables too.
await new Statistics({ ...engine, observe: () => {} }).check()
await engine.close()
process.send!(data, () => process.disconnect())
