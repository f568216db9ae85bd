import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { jobSql } from './job.sql.ts'
import { timeOf } from './job-store.ts'
import { hasTables } from './tables.ts'

/** Usage of bulk jobs in 24 hours. */
export interface BulkUsage {
  /** Batches of 10,000 rows that ingest jobs wrote. */
  readonly batches: number
  readonly queries: number
  /** Results of queries. */
  readonly megabytes: number
}

/** Limits of an org in 24 hours. (docs/reference/api/bulk-jobs.md#limits) */
export const BULK_LIMITS: BulkUsage = { batches: 15_000, queries: 10_000, megabytes: 976_562 }

const NOTHING: BulkUsage = { batches: 0, queries: 0, megabytes: 0 }

export async function loadUsage(ctx: Context): Promise<BulkUsage> {
  const { db, org } = ctx
  if (!(await hasTables(db, org))) return NOTHING
  const [usage] = await db.query<BulkUsage>(jobSql.usage(org, timeOf(ctx)))
  return usage!
}

type OfOrg = Pick<Context, 'db' | 'org' | 'settings'>

/** How many bytes the jobs of the org may still store. */
export async function loadStorageLeft({ db, org, settings }: OfOrg): Promise<number> {
  const [stored] = await db.query<{ bytes: number }>(jobSql.storedBytes(org))
  return settings.bulkStorageMegabytes * 1024 ** 2 - stored!.bytes
}

/** The jobs of the org would store too much. */
export const storageFull = ({ settings }: OfOrg): ApiError =>
  new ApiError(
    'EXCEEDEDQUOTA',
    `ExceededQuota : The bulk jobs of the org store ${settings.bulkStorageMegabytes} MB at most. Delete jobs that are over.`,
  )
