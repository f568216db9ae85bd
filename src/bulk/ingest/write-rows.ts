import { ApiError } from '../../base/api-error.ts'
import type { Context, TriggerTime } from '../../context.ts'
import { deleteRecords } from '../../records/delete/delete.ts'
import { isRefused, type Outcome } from '../../records/prepare/outcome.ts'
import { FILE_ROW, type RecordInput } from '../../records/prepare/record-input.ts'
import { purgeRecords } from '../../records/recycle-bin/purge-org.ts'
import { comparableKey } from '../../records/write/find-by-key.ts'
import { createRecords } from '../../records/write/insert.ts'
import { namedId } from '../../records/write/named-object.ts'
import { repeatedId, splitRuns } from '../../records/write/split-runs.ts'
import { updateRecords } from '../../records/write/update.ts'
import { upsertById } from '../../records/write/upsert-by-id.ts'
import { repeatedKey, upsertRecords } from '../../records/write/upsert-list.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { CsvRow } from '../csv/csv-rows.ts'
import type { Job } from '../jobs/job.ts'
import { type Column, readRow } from './columns.ts'

/** Triggers see records in lists of this size. */
export const TRIGGER_LIST_SIZE = 200

/** Target of the rows of a job. */
export interface RowsTarget {
  readonly object: ObjectType
  readonly job: Pick<Job, 'operation' | 'externalIdField'>
  readonly columns: readonly Column[]
}

/** Outcome of a row. */
export interface RowOutcome {
  readonly id?: string | undefined
  readonly created: boolean
  readonly error?: ApiError
}

/** A row that can be tried. */
interface Entry {
  readonly index: number
  readonly object: ObjectType
  /** Key in which the rows of one list differ: the id, or the key of an upsert. */
  readonly id: string | undefined
  readonly recordId: string | undefined
  readonly input: RecordInput
}

const TIMES = {
  insert: ['beforeInsert', 'afterInsert'],
  update: ['beforeUpdate', 'afterUpdate'],
  upsert: ['beforeInsert', 'afterInsert', 'beforeUpdate', 'afterUpdate'],
  delete: ['beforeDelete', 'afterDelete'],
  hardDelete: ['beforeDelete', 'afterDelete'],
} as const satisfies Readonly<Record<string, readonly TriggerTime[]>>

/** Operations that change records by their ids. */
const CHANGING: ReadonlySet<string> = new Set(['update', 'upsert'])

/** True if rows of a job must not change a record twice. */
export const changesOnce = ({ settings }: Context, { job }: RowsTarget): boolean =>
  !settings.lenient && CHANGING.has(job.operation)

/** True if triggers run for the rows of a job. */
export const runsTriggers = ({ triggers }: Context, { object, job }: RowsTarget): boolean =>
  TIMES[job.operation as keyof typeof TIMES].some((time) => triggers.listens(object.name, time))

/** A failure that another try may not have: of locks, or of the database. */
export const isTemporary = ({ code, status }: ApiError): boolean =>
  status === 503 || code === 'UNABLE_TO_LOCK_ROW' || code === 'QUERY_TIMEOUT'

/** Errors of rows that are rolled back and tried again, in smaller lists. */
export class TemporaryFailure extends Error {
  constructor(error: ApiError) {
    super(error.message, { cause: error })
  }
}

function checkShape({ cells, fault }: CsvRow, columns: readonly Column[]): void {
  if (fault !== undefined) throw new ApiError('INVALID_INPUT', `The row is not valid CSV: ${fault}`)
  if (cells.length === columns.length) return
  throw new ApiError(
    'INVALID_INPUT',
    `The row has ${cells.length} values, the header has ${columns.length} columns`,
  )
}

const missingId = (operation: string) =>
  new ApiError(
    'MISSING_ARGUMENT',
    `Id not specified in ${operation === 'update' ? 'an' : 'a'} ${operation} call`,
    {
      fields: ['Id'],
    },
  )

/** @throws ApiError why the row cannot be tried */
function makeEntry({ object, job, columns }: RowsTarget, row: CsvRow, index: number): Entry {
  checkShape(row, columns)
  const { id, members } = readRow(columns, row.cells)
  const { operation, externalIdField } = job
  const entry = { index, object, input: { ...FILE_ROW, members } }
  switch (operation) {
    case 'insert':
      if (id === undefined) return { ...entry, id, recordId: undefined }
      throw new ApiError('INVALID_FIELD_FOR_INSERT_UPDATE', 'cannot specify Id in an insert call', {
        fields: ['Id'],
      })
    case 'upsert':
      if (externalIdField === 'Id') break
      if (id === undefined) {
        const key = object.field(externalIdField!)!
        const given = comparableKey(key, members[key.name] ?? null)
        return { ...entry, id: given === undefined ? undefined : String(given), recordId: undefined }
      }
      throw new ApiError(
        'INVALID_FIELD_FOR_INSERT_UPDATE',
        `cannot specify Id in an upsert by ${externalIdField}`,
        { fields: ['Id'] },
      )
    default:
      if (id === undefined) throw missingId(operation)
  }
  const recordId = id === undefined ? undefined : namedId(object, id)
  return { ...entry, id: recordId, recordId }
}

/** Key that a row shares with others of the same record; undefined if it has none. */
export function identifyRow(target: RowsTarget, row: CsvRow): string | undefined {
  try {
    return makeEntry(target, row, 0).id
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

function repeatedRow({ object, job }: RowsTarget, { recordId, input }: Entry): RowOutcome {
  if (recordId !== undefined) return { id: recordId, created: false, error: repeatedId(recordId) }
  const key = object.field(job.externalIdField!)!
  return { created: false, error: repeatedKey(key, input.members[key.name]) }
}

const createAll = (ctx: Context, object: ObjectType, list: readonly Entry[]) =>
  createRecords(
    ctx,
    object,
    list.map(({ input }) => input),
    false,
  )

const updateAll = (ctx: Context, object: ObjectType, list: readonly Entry[]) =>
  updateRecords(
    ctx,
    object,
    list.map(({ recordId, input }) => ({ id: recordId!, input })),
    false,
  )

async function hardDeleteAll(ctx: Context, object: ObjectType, ids: readonly string[]): Promise<Outcome[]> {
  const outcomes = await deleteRecords(ctx, object, ids, false)
  const deleted = outcomes.flatMap((outcome) => (isRefused(outcome) ? [] : [outcome.id]))
  await purgeRecords(ctx, object, deleted)
  return outcomes
}

async function writeList(
  ctx: Context,
  { object, job }: RowsTarget,
  list: readonly Entry[],
): Promise<Outcome[]> {
  const ids = () => list.map(({ recordId }) => recordId!)
  switch (job.operation) {
    case 'insert': {
      const outcomes = await createAll(ctx, object, list)
      return outcomes.map((outcome) => ({ ...outcome, created: true }))
    }
    case 'update':
      return updateAll(ctx, object, list)
    case 'upsert': {
      if (job.externalIdField === 'Id') {
        const items = list.map(({ recordId, input }) => ({ id: recordId, input }))
        return upsertById(ctx, object, items, false)
      }
      const key = object.field(job.externalIdField!)!
      const inputs = list.map(({ input }) => input)
      return upsertRecords(ctx, object, key, inputs, false)
    }
    case 'delete':
      return deleteRecords(ctx, object, ids(), false)
    default:
      return hardDeleteAll(ctx, object, ids())
  }
}

/** Writes one list, in a savepoint: where it fails as a whole, as by a trigger, each of its rows has that error. */
async function tryList(ctx: Context, target: RowsTarget, list: readonly Entry[]): Promise<Outcome[]> {
  try {
    return await ctx.db.transaction((db) => writeList({ ...ctx, db }, target, list))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return list.map(({ recordId }) => ({ error, id: recordId }))
  }
}

/**
 * Writes the rows of one chunk in their order, in the transaction of `ctx`. Each row has an outcome of its own.
 * @param repeated positions of rows that are refused, because their record is changed more than once
 * @throws TemporaryFailure if some may succeed in another try
 */
export async function writeRows(
  ctx: Context,
  target: RowsTarget,
  rows: readonly CsvRow[],
  repeated: ReadonlySet<number>,
): Promise<readonly RowOutcome[]> {
  const outcomes: RowOutcome[] = Array.from({ length: rows.length })
  const entries: Entry[] = []
  for (const [index, row] of rows.entries()) {
    try {
      const entry = makeEntry(target, row, index)
      if (repeated.has(index)) outcomes[index] = repeatedRow(target, entry)
      else entries.push(entry)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcomes[index] = { created: false, error }
    }
  }
  const listSize = runsTriggers(ctx, target) ? TRIGGER_LIST_SIZE : Number.POSITIVE_INFINITY
  for (const run of splitRuns(entries)) {
    for (let start = 0; start < run.length; start += listSize) {
      const list = run.slice(start, start + listSize)
      const written = await tryList(ctx, target, list)
      for (const [position, outcome] of written.entries()) {
        const created = outcome.created === true
        const { index } = list[position]!
        outcomes[index] = isRefused(outcome)
          ? { id: outcome.id, created, error: outcome.error }
          : { id: outcome.id, created }
      }
    }
  }
  const temporary = outcomes.find(({ error }) => error !== undefined && isTemporary(error))
  if (temporary !== undefined && rows.length > 1) throw new TemporaryFailure(temporary.error!)
  return outcomes
}
