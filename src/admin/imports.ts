import { ApiError } from '../base/api-error.ts'
import { isObject } from '../base/json.ts'
import type { Call } from '../calls/call.ts'
import { type Envelope, readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import {
  createCollected,
  updateCollected,
  upsertCollected,
  upsertKey,
} from '../composite/collections/write-collected.ts'
import { type Collected, checkCount } from '../composite/steps/collected-records.ts'
import { errorBody, outcomeBody } from '../composite/steps/outcome-body.ts'
import { importTrees } from '../composite/trees/import-trees.ts'
import type { Context } from '../context.ts'
import { importJournalSql } from '../orgs/imports/import-journal.sql.ts'
import type { ImportResult } from '../orgs/imports/pack-results.ts'
import { writeOnce } from '../orgs/imports/write-once.ts'
import { wrongKind } from '../records/prepare/coerce.ts'
import { findForbidden } from '../records/prepare/find-forbidden.ts'
import type { Outcome } from '../records/prepare/outcome.ts'
import { FILE_ROW } from '../records/prepare/record-input.ts'
import { namedObject } from '../records/write/named-object.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { checkOrg } from './orgs.ts'

/** The records of a batch and the function that writes them. */
interface Batch {
  readonly count: number
  write(ctx: Context): Promise<ImportResult[]>
}

function readCollection(object: ObjectType, list: readonly unknown[], call: Call): readonly Collected[] {
  return list.map((members, index) => {
    if (!isObject(members)) throw wrongKind('sobject', members, call, ['records', index])
    return { object, input: { ...FILE_ROW, members } }
  })
}

function readRecords(envelope: Envelope): readonly unknown[] {
  const list = envelope.filled('records')
  checkCount(list.length)
  return list
}

/** The effect of an operation on records. */
const KINDS: Readonly<Record<string, readonly ('insert' | 'update')[]>> = {
  insert: ['insert'],
  tree: ['insert'],
  update: ['update'],
  upsert: ['insert', 'update'],
}

/** @throws ApiError when the batch as a whole is invalid; nothing of it is written */
function readBatch(ctx: Context, call: Call): Batch {
  const envelope = readEnvelope(call, ['operation', 'object', 'key', 'records'])
  const operation = envelope.required('operation', envelope.text('operation'))
  const object = namedObject(ctx, envelope.required('object', envelope.text('object')))
  const list = readRecords(envelope)
  const count = list.length
  const forbidden = findForbidden(object, ...(KINDS[operation] ?? []))
  if (forbidden !== undefined) throw forbidden
  if (operation === 'tree') return { count, write: (inside) => importTrees(inside, object, list) }
  const records = readCollection(object, list, call)
  const writing = (write: (ctx: Context) => Promise<Outcome[]>): Batch => ({
    count,
    write: async (inside) => (await write(inside)).map(outcomeBody) as ImportResult[],
  })
  switch (operation) {
    case 'insert':
      return writing((inside) => createCollected(inside, records, false))
    case 'update':
      return writing((inside) => updateCollected(inside, records, false))
    case 'upsert': {
      const key = upsertKey(ctx, object, envelope.required('key', envelope.text('key')))
      return writing((inside) => upsertCollected(inside, object, key, records, false))
    }
    default:
      throw new ApiError('INVALID_INPUT', 'The operation must be one of: insert, update, upsert, tree')
  }
}

function parseJob(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw new ApiError('INVALID_INPUT', 'The name of an import has 1 to 64 letters, digits, _ or -')
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ApiError('INVALID_INPUT', 'The number of a batch is a whole number from 1 to 999999999')
}

/** A failure of the whole batch, such as a throwing trigger, becomes the result of each record. */
const refuseAll = (count: number, error: ApiError): ImportResult[] =>
  Array.from({ length: count }, () => ({ success: false, errors: errorBody(error) }))

const writeBatch: Handler<{ org: string; job: string; number: string }> = async (ctx, call, params) => {
  await checkOrg(ctx, params.org)
  const name = { job: parseJob(params.job), number: parseNumber(params.number) }
  const { count, write } = readBatch(ctx, call)
  try {
    return { status: 200, body: { results: await writeOnce(ctx, name, write) } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const refused = async () => refuseAll(count, error)
    return { status: 200, body: { results: await writeOnce(ctx, name, refused) } }
  }
}

const forget: Handler<{ org: string; job: string }> = async (ctx, _call, { org, job }) => {
  await checkOrg(ctx, org)
  await ctx.db.query(importJournalSql.forget(ctx.org, parseJob(job)))
  return noContent
}

/** Imports records in batches. Each batch is written once, however often it is sent. */
export const importRoutes = [
  route('PUT', '/orgs/:org/imports/:job/batches/:number', 'setup', writeBatch),
  route('DELETE', '/orgs/:org/imports/:job', 'setup', forget),
]
