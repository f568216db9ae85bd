import { ApiError } from '../base/api-error.ts'
import type { Context } from '../context.ts'
import { deleteRecords, undeleteRecords } from '../records/delete/delete.ts'
import { isRefused, notesOf, type Outcome } from '../records/prepare/outcome.ts'
import type { RecordInput } from '../records/prepare/record-input.ts'
import { readRecord } from '../records/read/read.ts'
import { findByKey } from '../records/write/find-by-key.ts'
import { createRecords } from '../records/write/insert.ts'
import { namedId, namedObject } from '../records/write/named-object.ts'
import { updateRecords } from '../records/write/update.ts'
import { upsertRecords } from '../records/write/upsert-list.ts'
import { type Field, isKey } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { RecordBody } from '../schema/snapshot/record-format.sql.ts'
import { bindValues } from '../soql/analyze/bind-values.ts'
import { type QueryResult, runNextPage, runQuery } from '../soql/run-query.ts'
import type { DeployedOrg, Fields, RecordKey, WriteOptions, WriteResult } from './sdk/deployed-org.ts'

/** Maximum records of one write, and of one trigger call. */
const MAX_AT_ONCE = 200
/** Maximum records of one query. */
const MAX_READ = 50_000
const PAGE = 2000

/** Leaves out undefined fields. */
function makeInput(fields: Fields): RecordInput {
  const members = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { members, locate: () => ({ line: 1, column: 1 }) }
}

function makeResult(outcome: Outcome): WriteResult {
  if (!isRefused(outcome)) {
    const { id, created } = outcome
    return { id, ...(created !== undefined && { created }), success: true, errors: notesOf(outcome) }
  }
  const { error, ...rest } = outcome
  return { ...rest, success: false, errors: error.items }
}

type WritePart<Item> = (ctx: Context, part: readonly Item[], allOrNone: boolean) => Promise<Outcome[]>

/** Writes a list in parts of 200. With `allOrNone` all parts are written or none. */
async function writeParts<Item>(
  ctx: Context,
  items: readonly Item[],
  { allOrNone = true }: WriteOptions,
  write: WritePart<Item>,
): Promise<WriteResult[]> {
  const writeAll = async (inside: Context) => {
    const results: WriteResult[] = []
    for (let start = 0; start < items.length; start += MAX_AT_ONCE) {
      const outcomes = await write(inside, items.slice(start, start + MAX_AT_ONCE), allOrNone)
      const refused = outcomes.find(
        (outcome) => isRefused(outcome) && outcome.error.code !== 'ALL_OR_NONE_OPERATION_ROLLED_BACK',
      )
      if (allOrNone && refused !== undefined && isRefused(refused)) throw refused.error
      results.push(...outcomes.map(makeResult))
    }
    return results
  }
  const isOne = !allOrNone || items.length <= MAX_AT_ONCE
  return isOne ? writeAll(ctx) : ctx.db.transaction((db) => writeAll({ ...ctx, db }))
}

async function queryAll(called: Context, soql: string): Promise<RecordBody[]> {
  const ctx = { ...called, answer: called.answer.apart() }
  const page = await runQuery(ctx, soql, { pageSize: PAGE, deletedToo: false })
  if (page.totalSize > MAX_READ) {
    throw new ApiError('QUERY_TOO_COMPLICATED', `Deployed code may read ${MAX_READ} records with one query`)
  }
  return readAll(ctx, page)
}

const isResult = (value: unknown): value is QueryResult =>
  typeof value === 'object' && value !== null && 'records' in value

/** The records of a result with those of its further pages, and with all children of each. */
async function readAll(ctx: Context, first: QueryResult): Promise<RecordBody[]> {
  const records = [...first.records]
  for (let page = first; page.nextRecordsUrl !== undefined; ) {
    page = await runNextPage(ctx, page.nextRecordsUrl.split('/').at(-1)!)
    records.push(...page.records)
  }
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      if (!isResult(value)) continue
      const all = await readAll(ctx, value)
      record[name] = { totalSize: all.length, done: true, records: all }
    }
  }
  return records
}

async function readOne(ctx: Context, name: string, key: RecordKey, fields?: readonly string[]) {
  const object = namedObject(ctx, name)
  const wanted = fields === undefined ? null : checkList('fields', fields).join()
  const id = typeof key === 'string' ? namedId(object, key) : await idByKey(ctx, object, key)
  if (id === undefined) return undefined
  try {
    return await readRecord(ctx, object, id, wanted)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Returns the id of the only record with the value. @throws ApiError when several have it */
async function idByKey(
  ctx: Context,
  object: ObjectType,
  key: Exclude<RecordKey, string>,
): Promise<string | undefined> {
  const [[name, value] = ['', undefined], ...others] = Object.entries(key ?? {})
  const field = keyField(object, name)
  if (others.length > 0) throw new ApiError('INVALID_FIELD', 'A record is read by one key')
  const [id, ...more] = await findByKey(ctx, object, field, value)
  if (more.length === 0) return id
  throw new ApiError('DUPLICATE_EXTERNAL_ID', `Several records of ${object.name} have this ${field.name}`)
}

function keyField(object: ObjectType, name: string): Field {
  const field = object.field(String(name))
  if (field === undefined || !isKey(field) || field.name === 'Id') {
    throw new ApiError(
      'INVALID_FIELD',
      `${String(name).slice(0, 255)} is no external id field of ${object.name}`,
    )
  }
  return field
}

/** Deployed code is not type-checked at run time. */
function checkList<Item>(what: string, list: readonly Item[]): readonly Item[] {
  if (Array.isArray(list)) return list
  throw new ApiError('INVALID_INPUT', `The ${what} must be a list`)
}

function checkRecords(records: readonly Fields[]): readonly Fields[] {
  if (checkList('records', records).every((record) => typeof record === 'object' && record !== null))
    return records
  throw new ApiError('INVALID_INPUT', 'The records must be objects')
}

/**
 * @param called with the user and the transaction
 * @param source name of the code, shown in its log lines
 */
export function makeDeployedOrg(called: Context, source: string): DeployedOrg {
  const ctx = { ...called, hasNumbers: true }
  return {
    userId: ctx.principal.userId,
    query: (soql, values) => queryAll(ctx, values === undefined ? soql : bindValues(soql, values)),
    read: (name, key, fields) => readOne(ctx, name, key, fields),
    async create(name, records, options = {}) {
      const object = namedObject(ctx, name)
      return writeParts(ctx, checkRecords(records), options, (inside, part, allOrNone) =>
        createRecords(inside, object, part.map(makeInput), allOrNone),
      )
    },
    async update(name, records, options = {}) {
      const object = namedObject(ctx, name)
      const changes = checkRecords(records).map(({ Id, attributes: _, ...fields }) => ({
        id: namedId(object, Id),
        input: makeInput(fields),
      }))
      return writeParts(ctx, changes, options, (inside, part, allOrNone) =>
        updateRecords(inside, object, part, allOrNone),
      )
    },
    async upsert(name, key, records, options = {}) {
      const object = namedObject(ctx, name)
      const field = keyField(object, key)
      return writeParts(ctx, checkRecords(records), options, (inside, part, allOrNone) =>
        upsertRecords(inside, object, field, part.map(makeInput), allOrNone),
      )
    },
    async delete(name, ids, options = {}) {
      const object = namedObject(ctx, name)
      const known = [...new Set(checkList('ids', ids).map((id) => namedId(object, id)))]
      return writeParts(ctx, known, options, (inside, part, allOrNone) =>
        deleteRecords(inside, object, part, allOrNone),
      )
    },
    async undelete(name, ids, options = {}) {
      const object = namedObject(ctx, name)
      const known = [...new Set(checkList('ids', ids).map((id) => namedId(object, id)))]
      return writeParts(ctx, known, options, (inside, part, allOrNone) =>
        undeleteRecords(inside, object, part, allOrNone),
      )
    },
    enqueue: (job, payload = null, options = {}) => ctx.background.enqueue(ctx, job, payload, options),
    async log(message) {
      ctx.observe({
        kind: 'said',
        source,
        message: typeof message === 'string' ? message : JSON.stringify(message),
      })
    },
  }
}
