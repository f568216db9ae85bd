import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { readTimestamp } from '../../schema/fields/datetime.ts'
import { jobSql } from '../jobs/job.sql.ts'
import type { Job } from '../jobs/job.ts'
import { jsonReply, writeMembers, writeRoot, xmlReply } from './answer-format.ts'

/** Sums over the batches of a job. */
export interface BatchCounts {
  readonly queued: number
  readonly inProgress: number
  readonly completed: number
  readonly failed: number
  readonly total: number
  readonly processed: number
  readonly refused: number
  readonly retries: number
  readonly milliseconds: number
}

type Members = Readonly<Record<string, string | number | null>>

export const loadCounts = async ({ db, org }: Context, { id }: Job): Promise<BatchCounts> =>
  (await db.query<BatchCounts>(jobSql.countBatches(org, id)))[0]!

const times = (milliseconds: number) => ({
  totalProcessingTime: Math.round(milliseconds),
  apiActiveProcessingTime: Math.round(milliseconds),
  apexProcessingTime: 0,
})

const dates = ({ createdAt, modifiedAt }: Job) => ({
  createdDate: readTimestamp(createdAt) as string,
  systemModstamp: readTimestamp(modifiedAt) as string,
})

/** In the order of the interface's schema, which some clients read it by. */
function jobMembers(job: Job, counts: BatchCounts): Members {
  return {
    id: job.id,
    operation: job.operation,
    object: job.object,
    createdById: job.userId,
    ...dates(job),
    state: job.state,
    externalIdFieldName: job.externalIdField,
    concurrencyMode: job.isSerial ? 'Serial' : 'Parallel',
    contentType: job.contentType,
    numberBatchesQueued: counts.queued,
    numberBatchesInProgress: counts.inProgress,
    numberBatchesCompleted: counts.completed,
    numberBatchesFailed: counts.failed,
    numberBatchesTotal: counts.total,
    numberRecordsProcessed: counts.processed,
    numberRetries: counts.retries,
    apiVersion: job.apiVersion,
    assignmentRuleId: job.assignmentRuleId,
    numberRecordsFailed: counts.refused,
    ...times(counts.milliseconds),
  }
}

/** A batch that was aborted after some of its records were written has results, as one that failed. */
const wasBegun = ({ kind, processed }: Job) => kind === 'ingest' && processed > 0

function batchState(batch: Job): string {
  switch (batch.state) {
    case 'JobComplete':
      return 'Completed'
    case 'Failed':
    case 'InProgress':
      return batch.state
    case 'Aborted':
      return wasBegun(batch) ? 'Failed' : 'NotProcessed'
    default:
      return 'Queued'
  }
}

function batchMembers(batch: Job): Members {
  const state = batchState(batch)
  const message = batch.state === 'Aborted' ? 'Aborted' : (batch.errorMessage ?? '')
  return {
    id: batch.id,
    jobId: batch.parentId,
    state,
    stateMessage: state === 'Failed' || state === 'NotProcessed' ? message : null,
    ...dates(batch),
    numberRecordsProcessed: batch.processed,
    numberRecordsFailed: batch.failed,
    ...times(batch.processingMs),
  }
}

/** Dates of XML end in Z, and the version has a decimal. */
const xmlMembers = (members: Members): Members => ({
  ...members,
  createdDate: String(members.createdDate).replace('+0000', 'Z'),
  systemModstamp: String(members.systemModstamp).replace('+0000', 'Z'),
  ...(members.apiVersion !== undefined && { apiVersion: `${members.apiVersion}.0` }),
})

const writeInfo = (members: Members) => writeMembers(xmlMembers(members))

export async function jobReply(ctx: Context, job: Job, isJson: boolean, status = 200): Promise<Reply> {
  const members = jobMembers(job, await loadCounts(ctx, job))
  return isJson ? jsonReply(status, members) : xmlReply(status, writeRoot('jobInfo', writeInfo(members)))
}

export function batchReply(batch: Job, isJson: boolean, status = 200): Reply {
  const members = batchMembers(batch)
  return isJson ? jsonReply(status, members) : xmlReply(status, writeRoot('batchInfo', writeInfo(members)))
}

export function batchListReply(batches: readonly Job[], isJson: boolean): Reply {
  const all = batches.map(batchMembers)
  if (isJson) return jsonReply(200, { batchInfo: all })
  const list = all.map((members) => `<batchInfo>${writeInfo(members)}</batchInfo>`).join('')
  return xmlReply(200, writeRoot('batchInfoList', list))
}
