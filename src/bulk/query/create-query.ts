import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import type { Context } from '../../context.ts'
import { type Job, OPERATIONS, readFormat, readWord } from '../jobs/job.ts'
import { createJob } from '../jobs/job-store.ts'
import { ensureTables } from '../jobs/tables.ts'
import { BULK_LIMITS, loadUsage } from '../jobs/usage.ts'
import { compileBulkQuery } from './compile-query.ts'

const MEMBERS = ['operation', 'query', 'contentType', 'columnDelimiter', 'lineEnding', 'concurrencyMode']

/** Clients compare this text. */
function checkQueryText({ body, locate }: Call): void {
  const { query } = (body ?? {}) as { readonly query?: unknown }
  if (query === undefined || typeof query === 'string') return
  const { line, column } = locate(['query'])
  throw new ApiError('API_ERROR', `Value does not match expected type at [line:${line}, column:${column}]`)
}

/** Creates a job from the body of a call, and queues it. (docs/reference/api/bulk-jobs.md#query-jobs) */
export async function createQuery(ctx: Context, call: Call): Promise<Job> {
  const envelope = readEnvelope(call, MEMBERS)
  checkQueryText(call)
  const operation = envelope.required('operation', readWord(envelope, 'operation', OPERATIONS.query))
  const query = envelope.required('query', envelope.text('query'))
  const format = readFormat(envelope)
  const { object } = compileBulkQuery(ctx, query)
  await ensureTables(ctx.db, ctx.org)
  if ((await loadUsage(ctx)).queries >= BULK_LIMITS.queries) {
    throw new ApiError(
      'LIMIT_EXCEEDED',
      `Max bulk v2 query jobs per rolling 24 hour window has been exceeded: ${BULK_LIMITS.queries}`,
    )
  }
  await ctx.bulk.open()
  return ctx.db.transaction(async (db) => {
    const job = await createJob(
      { ...ctx, db },
      {
        kind: 'query',
        object,
        operation: operation as Job['operation'],
        externalIdField: null,
        assignmentRuleId: null,
        ...format,
        query,
        state: 'UploadComplete',
      },
    )
    await ctx.bulk.queue(db, ctx.org, job.id)
    return job
  })
}
