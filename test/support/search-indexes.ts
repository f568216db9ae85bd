import { sql } from '../../src/base/sql.ts'
import { SEARCH_INDEXES } from '../../src/orgs/upgrades/build-search-indexes.ts'
import { requestStep } from '../../src/orgs/upgrades/step-store.ts'
import { isSearchIndexName } from '../../src/schema/change/search-index.sql.ts'
import type { Db } from '../../src/storage/database/db.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { makeAccounts, writeAccounts } from './account-rows.sql.ts'
import { finishUpgrades } from './finish-upgrades.ts'
import type { TestOrg } from './org.ts'

interface Index {
  readonly name: string
  readonly isValid: boolean
}

/** All indexes of an org. */
export const loadIndexes = (db: Db, org: Org): Promise<Index[]> =>
  db.query<Index>(
    sql`select c.relname as name, i.indisvalid as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_namespace n on n.oid = c.relnamespace where n.nspname = ${org.schemaName} order by 1`,
  )

export const loadSearchIndexes = async ({ db, org }: Pick<TestOrg, 'db' | 'org'>): Promise<Index[]> =>
  (await loadIndexes(db, org)).filter(({ name }) => isSearchIndexName(name))

/** As a server does when many records were written. */
export async function indexWords(o: TestOrg): Promise<void> {
  await requestStep(o.db, o.org, SEARCH_INDEXES)
  await finishUpgrades(o)
}

/** So many accounts that searches need an index of them. */
export const writeManyAccounts = (o: Pick<TestOrg, 'org' | 'db' | 'userId'>) =>
  writeAccounts(o, makeAccounts(1500))
