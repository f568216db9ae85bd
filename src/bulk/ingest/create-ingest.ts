import { ApiError } from '../../base/api-error.ts'
import type { Call } from '../../calls/call.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import type { Context } from '../../context.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { isKey } from '../../schema/fields/field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { type Job, OPERATIONS, readFormat, readWord, unsupportedObject } from '../jobs/job.ts'
import { createJob } from '../jobs/job-store.ts'

/** Of the rows that come with the job itself. */
const MAX_CONTENT_CHARACTERS = 100_000

const MEMBERS = [
  'object',
  'operation',
  'externalIdFieldName',
  'assignmentRuleId',
  'columnDelimiter',
  'lineEnding',
  'contentType',
  'concurrencyMode',
  'content',
]

/** Which right of the object an operation needs. */
const RIGHTS = {
  insert: ['createable'],
  update: ['updateable'],
  upsert: ['createable', 'updateable'],
  delete: ['deletable'],
  hardDelete: ['deletable'],
} as const

export type IngestOperation = keyof typeof RIGHTS

/** @throws ApiError INVALIDENTITY */
function findObject(ctx: Context, name: string, operation: IngestOperation): ObjectType {
  const object = ctx.visible.object(name)
  if (object === undefined) throw unsupportedObject(name)
  const { definition } = unrestricted(object)
  const isAllowed = RIGHTS[operation].every((right) => definition[right] !== false)
  const hasRecords = definition.view === undefined || isEventObject(object.name)
  if (!hasRecords || !isAllowed) throw unsupportedObject(object.name)
  return object
}

/** @throws ApiError INVALIDJOB */
function findExternalId({ settings }: Context, object: ObjectType, name: string | undefined): string {
  if (name === undefined || name === '') {
    throw new ApiError(
      'INVALIDJOB',
      `External ID was blank for ${object.name}. An External ID must be specified for upsert.`,
    )
  }
  const field = object.field(name)
  if (field !== undefined && (settings.lenient ? isKey(field) : field.idLookup)) return field.name
  throw new ApiError(
    'INVALIDJOB',
    `InvalidExternalId : ${name.slice(0, 255)} is not an external id of ${object.name}`,
  )
}

/** Rules have ids of their own kind, which nobody checks here. */
const RECORD_ID = /^[0-9A-Za-z]{15}(?:[0-9A-Za-z]{3})?$/

/** @throws ApiError INVALIDJOB */
function checkAssignmentRule(text: string | undefined): string | null {
  if (text === undefined) return null
  if (RECORD_ID.test(text)) return text
  throw new ApiError('INVALIDJOB', `InvalidAssignmentRule : ${text.slice(0, 255)} is not an id`)
}

/** The rows that came with the job; undefined: they come later. */
export function readContent({ body }: Call): Uint8Array | undefined {
  const { content } = (body ?? {}) as { readonly content?: unknown }
  if (content === undefined || content === null) return undefined
  if (
    content instanceof Uint8Array &&
    Buffer.from(content).toString('utf8').length <= MAX_CONTENT_CHARACTERS
  ) {
    return content
  }
  throw new ApiError(
    'INVALIDJOB',
    `The part content has the rows, ${MAX_CONTENT_CHARACTERS} characters at most. Upload more to the contentUrl of the job.`,
  )
}

interface Asked {
  readonly object: string
  readonly operation: IngestOperation
  readonly externalId: string | undefined
  readonly assignmentRuleId: string | undefined
}

/**
 * Returns the object and operation of a job, as they are stored, if the caller may write so.
 * @throws ApiError
 */
export function checkTarget(
  ctx: Context,
  { object: name, operation, externalId, assignmentRuleId }: Asked,
): Pick<Job, 'object' | 'operation' | 'externalIdField' | 'assignmentRuleId'> {
  const object = findObject(ctx, name, operation)
  if (operation === 'hardDelete' && !ctx.access.has('BulkApiHardDelete')) {
    throw new ApiError(
      'FEATURENOTENABLED',
      'hardDelete operation requires special user profile permission, please contact your system administrator',
    )
  }
  return {
    object: object.name,
    operation,
    externalIdField: operation === 'upsert' ? findExternalId(ctx, object, externalId) : null,
    assignmentRuleId: checkAssignmentRule(assignmentRuleId),
  }
}

/** Creates a job from the body of a call. (docs/reference/api/bulk-jobs.md#create-an-ingest-job) */
export async function createIngest(ctx: Context, call: Call): Promise<Job> {
  const envelope = readEnvelope(call, MEMBERS)
  const name = envelope.required('object', envelope.text('object'))
  const operation = envelope.required(
    'operation',
    readWord(envelope, 'operation', OPERATIONS.ingest),
  ) as IngestOperation
  const externalId = envelope.text('externalIdFieldName')
  envelope.text('concurrencyMode')
  const format = readFormat(envelope)
  const assignmentRuleId = envelope.text('assignmentRuleId')
  return createJob(ctx, {
    kind: 'ingest',
    ...checkTarget(ctx, { object: name, operation, externalId, assignmentRuleId }),
    ...format,
    query: null,
    state: 'Open',
  })
}
