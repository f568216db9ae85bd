import { sql } from '../../src/base/sql.ts'
import { pieces } from '../../src/bulk/jobs/job.sql.ts'
import type { Org } from '../../src/storage/orgs/org.ts'

/** The bytes of the longest piece of a job's result. */
export const longestPiece = (org: Org, jobId: string) =>
  sql`select max(octet_length(bytes)) as bytes from ${pieces(org)} where owner = ${jobId}`
