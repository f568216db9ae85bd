import type { Job } from './job.ts'

/** Where the rows of a job are uploaded. */
export const UPLOAD_PATH = '/jobs/ingest/:id/batches'

/** Where jobs of queries are created. */
const QUERY_PATH = '/jobs/query'

/** Where batches of version 1 are added. */
export const BATCH_PATH = '/services/async/job/:job/batch'

/** The call that a part of a job counts as a step of, for faults. */
export function stepRoute({ parentId, kind }: Job) {
  if (parentId !== null) return { route: BATCH_PATH, method: 'POST' }
  return kind === 'query' ? { route: QUERY_PATH, method: 'POST' } : { route: UPLOAD_PATH, method: 'PUT' }
}
