import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { UploadReader, type UploadRows } from '../csv/upload-reader.ts'
import type { Job } from '../jobs/job.ts'
import { JobFailure } from '../jobs/run.ts'

/** The first row of an upload. */
export interface Header {
  readonly names: readonly string[]
  readonly lineEnding: UploadRows['lineEnding']
  /** Where the rows begin, in bytes. */
  readonly position: number
}

/**
 * Reads the names of the columns; undefined where there are no rows at all.
 * @throws JobFailure, UploadError
 */
export async function readHeader(db: Db, org: Org, job: Job): Promise<Header | undefined> {
  const reader = new UploadReader(db, org, job, 0)
  for (;;) {
    const found = await reader.peek(1)
    const [row] = found.rows
    if (row === undefined && found.isLast) return undefined
    reader.advance(found)
    if (row === undefined) continue
    if (row.fault !== undefined)
      throw new JobFailure(`InvalidBatch : The header is not valid CSV: ${row.fault}`)
    return { names: row.cells, position: found.position, lineEnding: found.lineEnding }
  }
}
