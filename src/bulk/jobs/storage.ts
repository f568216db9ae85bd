import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { jobSql } from './job.sql.ts'

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
