import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import type { Envelope } from '../../calls/envelope.ts'
import { readTimestamp } from '../../schema/fields/datetime.ts'

/** Operation of a job on the rows of its upload, or the scope of its query. */
export const OPERATIONS = {
  ingest: ['insert', 'update', 'upsert', 'delete', 'hardDelete'],
  query: ['query', 'queryAll'],
} as const

export type ContentType = 'CSV' | 'XML' | 'JSON'

export type JobKind = keyof typeof OPERATIONS

type Operation = (typeof OPERATIONS)[JobKind][number]

/** Separators of values by their names in the interface. */
export const DELIMITERS: Readonly<Record<string, string>> = {
  BACKQUOTE: '`',
  CARET: '^',
  COMMA: ',',
  PIPE: '|',
  SEMICOLON: ';',
  TAB: '\t',
}

export const LINE_ENDINGS: Readonly<Record<string, string>> = { LF: '\n', CRLF: '\r\n' }

/** `Closed` is of jobs of version 1 only, which are done when their batches are. */
export type JobState =
  | 'Open'
  | 'Closed'
  | 'UploadComplete'
  | 'InProgress'
  | 'JobComplete'
  | 'Failed'
  | 'Aborted'

/** A bulk job as it is stored. */
export interface Job {
  readonly id: string
  /** `classic`: a job of version 1. Each of its batches is a job too, which names it as its parent. */
  readonly kind: JobKind | 'classic'
  /** The job that it is a batch of. */
  readonly parentId: string | null
  /** Of the batches of a job of version 1, and of their results; all others are CSV. */
  readonly contentType: ContentType
  /** Its batches are processed one after the other. */
  readonly isSerial: boolean
  /** API name. */
  readonly object: string
  readonly operation: Operation
  readonly externalIdField: string | null
  readonly assignmentRuleId: string | null
  readonly columnDelimiter: string
  readonly lineEnding: string
  /** Major number. */
  readonly apiVersion: number
  readonly query: string | null
  readonly state: JobState
  readonly userId: string
  /** Timestamps as PostgreSQL writes them. */
  readonly createdAt: string
  readonly modifiedAt: string
  readonly errorMessage: string | null
  /** Owner of the pieces of its upload; null: nothing was uploaded. */
  readonly uploadId: string | null
  readonly uploadBytes: number
  /** How much of the upload is processed: a position between two rows. */
  readonly readBytes: number
  readonly processed: number
  readonly failed: number
  /** Number of the next piece of its results. */
  readonly pieces: number
  readonly retries: number
  readonly processingMs: number
  /** Increased whenever a process begins to work on it, so that an earlier one stops. */
  readonly run: number
}

export const isOver = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'JobComplete' || state === 'Failed' || state === 'Aborted'

/** A job that is not in the right state for an operation. */
export const wrongState = (message: string) => new ApiError('INVALIDJOBSTATE', message)

const JOB_TYPES = { ingest: 'V2Ingest', query: 'V2Query', classic: 'Classic' }

/** A job in the form of the interface. (docs/reference/api/bulk-jobs.md#job) */
export function describeJob(job: Job, version: ApiVersion): Readonly<Record<string, unknown>> {
  const { id, kind, state, errorMessage, externalIdField, assignmentRuleId } = job
  const common = {
    id,
    operation: job.operation,
    object: job.object,
    createdById: job.userId,
    createdDate: readTimestamp(job.createdAt),
    systemModstamp: readTimestamp(job.modifiedAt),
    // Version 2 has no other word for a job that gets nothing more.
    state: state === 'Closed' ? 'UploadComplete' : state,
    ...(externalIdField !== null && { externalIdFieldName: externalIdField }),
    ...(assignmentRuleId !== null && { assignmentRuleId }),
    concurrencyMode: job.isSerial ? 'Serial' : 'Parallel',
    contentType: job.contentType,
    apiVersion: job.apiVersion,
    jobType: JOB_TYPES[kind],
    ...(state === 'Open' &&
      kind === 'ingest' && { contentUrl: `${version.path.slice(1)}/jobs/ingest/${id}/batches` }),
    lineEnding: job.lineEnding,
    columnDelimiter: job.columnDelimiter,
    numberRecordsProcessed: job.processed,
    retries: job.retries,
    totalProcessingTime: Math.round(job.processingMs),
    ...(state === 'Failed' && { errorMessage: errorMessage ?? '' }),
  }
  if (kind === 'query') return { ...common, isPkChunkingSupported: true }
  return {
    ...common,
    numberRecordsFailed: job.failed,
    apiActiveProcessingTime: Math.round(job.processingMs),
    apexProcessingTime: 0,
  }
}

/** Why a job cannot be of an object. */
export const unsupportedObject = (name: string): ApiError =>
  new ApiError('INVALIDENTITY', `Entity '${name.slice(0, 255)}' is not supported by the Bulk API.`)

/** One of the words that a member may be. */
export function readWord(envelope: Envelope, name: string, words: readonly string[]): string | undefined {
  const text = envelope.text(name)
  if (text === undefined) return undefined
  const word = words.find((one) => one.toLowerCase() === text.toLowerCase())
  if (word !== undefined) return word
  throw envelope.refusal(`"${text.slice(0, 255)}" is not a valid ${name}; use ${words.join(', ')}`, name)
}

/** How the rows of a job are written. */
export const readFormat = (envelope: Envelope) => {
  readWord(envelope, 'contentType', ['CSV'])
  return {
    columnDelimiter: readWord(envelope, 'columnDelimiter', Object.keys(DELIMITERS)) ?? 'COMMA',
    lineEnding: readWord(envelope, 'lineEnding', Object.keys(LINE_ENDINGS)) ?? 'LF',
  }
}
