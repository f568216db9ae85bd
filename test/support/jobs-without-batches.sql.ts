import { sql } from '../../src/base/sql.ts'
import { MIGRATIONS } from '../../src/storage/migrations.sql.ts'
import type { TestOrg } from './org.ts'

/** Makes the table of jobs of an org what it was before jobs had batches, and upgrades it. */
export async function upgradeJobs({ db, org }: Pick<TestOrg, 'db' | 'org'>): Promise<void> {
  await db.query(sql`alter table ${sql.id(org.schemaName, '_bulk_job')}
    drop column parent_id, drop column content_type, drop column is_serial`)
  await db.script(MIGRATIONS.find(({ name }) => name === 'batches of bulk jobs')!.statements)
}
