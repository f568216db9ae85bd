import { ApiError, type ErrorItem } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { checkAllowed } from '../../records/allowed.ts'
import { deleteRecords } from '../../records/delete.ts'
import { createRecords } from '../../records/insert.ts'
import { namedId, namedObject } from '../../records/named-object.ts'
import { isRefused, type Outcome } from '../../records/outcome.ts'
import type { RecordInput } from '../../records/record-input.ts'
import { undeleteRecords } from '../../records/undelete.ts'
import { updateRecords } from '../../records/update.ts'
import { upsertRecords } from '../../records/upsert-list.ts'
import type { RecordBody } from '../../schema/record-shape.sql.ts'
import { runNextPage, runQuery } from '../../soql/run-query.ts'

/** How many records one statement writes, and triggers see at once. */
const MOST_AT_ONCE = 200
/** How many records a trigger's query may give. */
const MOST_READ = 50_000
const PAGE = 2000

type Fields = Readonly<Record<string, unknown>>

interface WriteOptions {
  /** Default true: when one record is refused nothing is written, and the first error is thrown. */
  readonly allOrNone?: boolean
}

/** What became of one record. */
export interface WriteResult {
  readonly id?: string
  readonly success: boolean
  readonly created?: boolean
  readonly errors: readonly ErrorItem[]
}

/** The org as triggers see it: lists in, lists out, under the caller's name and in the call's transaction. */
export interface TriggerOrg {
  /** Id of the user in whose name the trigger runs. */
  readonly userId: string
  /** All records of a query, 50,000 at most. */
  query(soql: string): Promise<RecordBody[]>
  create(object: string, records: readonly Fields[], options?: WriteOptions): Promise<WriteResult[]>
  /** Each record with its `Id`. */
  update(object: string, records: readonly Fields[], options?: WriteOptions): Promise<WriteResult[]>
  /** Each record with the value of `key`, an external id field. */
  upsert(
    object: string,
    key: string,
    records: readonly Fields[],
    options?: WriteOptions,
  ): Promise<WriteResult[]>
  delete(object: string, ids: readonly string[], options?: WriteOptions): Promise<WriteResult[]>
  /** Brings records back from the recycle bin, with what went with them. */
  undelete(object: string, ids: readonly string[], options?: WriteOptions): Promise<WriteResult[]>
}

const inputOf = (members: Fields): RecordInput => ({ members, locate: () => ({ line: 1, column: 1 }) })

function resultOf(outcome: Outcome): WriteResult {
  if (!isRefused(outcome)) return { ...outcome, success: true, errors: [] }
  const { error, ...rest } = outcome
  return { ...rest, success: false, errors: error.items }
}

type WritePart<Item> = (ctx: Context, part: readonly Item[], allOrNone: boolean) => Promise<Outcome[]>

/** Writes a list 200 at a time. With `allOrNone` everything is one transaction. */
async function writeParts<Item>(
  ctx: Context,
  items: readonly Item[],
  { allOrNone = true }: WriteOptions,
  write: WritePart<Item>,
): Promise<WriteResult[]> {
  const writeAll = async (inside: Context) => {
    const results: WriteResult[] = []
    for (let start = 0; start < items.length; start += MOST_AT_ONCE) {
      const outcomes = await write(inside, items.slice(start, start + MOST_AT_ONCE), allOrNone)
      const refused = outcomes.find(
        (outcome) => isRefused(outcome) && outcome.error.code !== 'ALL_OR_NONE_OPERATION_ROLLED_BACK',
      )
      if (allOrNone && refused !== undefined && isRefused(refused)) throw refused.error
      results.push(...outcomes.map(resultOf))
    }
    return results
  }
  return allOrNone ? ctx.db.transaction((db) => writeAll({ ...ctx, db })) : writeAll(ctx)
}

async function queryAll(ctx: Context, soql: string): Promise<RecordBody[]> {
  let page = await runQuery(ctx, soql, { pageSize: PAGE, deletedToo: false })
  if (page.totalSize > MOST_READ) {
    throw new ApiError('QUERY_TOO_COMPLICATED', `A trigger may read ${MOST_READ} records with one query`)
  }
  const records = [...page.records]
  while (page.nextRecordsUrl !== undefined) {
    page = await runNextPage(ctx, page.nextRecordsUrl.split('/').at(-1)!)
    records.push(...page.records)
  }
  return records
}

/** @param ctx that of the write that started the trigger */
export function makeTriggerOrg(ctx: Context): TriggerOrg {
  return {
    userId: ctx.principal.userId,
    query: (soql) => queryAll(ctx, soql),
    async create(name, records, options = {}) {
      const object = namedObject(ctx, name)
      checkAllowed(object, 'createable')
      return writeParts(ctx, records, options, (inside, part, allOrNone) =>
        createRecords(inside, object, part.map(inputOf), allOrNone),
      )
    },
    async update(name, records, options = {}) {
      const object = namedObject(ctx, name)
      checkAllowed(object, 'updateable')
      const changes = records.map(({ Id, attributes: _, ...fields }) => ({
        id: namedId(object, Id),
        input: inputOf(fields),
      }))
      return writeParts(ctx, changes, options, (inside, part, allOrNone) =>
        updateRecords(inside, object, part, allOrNone),
      )
    },
    async upsert(name, key, records, options = {}) {
      const object = namedObject(ctx, name)
      const field = object.field(key)
      if (field === undefined || !field.idLookup || field.name === 'Id') {
        throw new ApiError('INVALID_FIELD', `${key} is no external id field of ${object.name}`)
      }
      return writeParts(ctx, records, options, (inside, part, allOrNone) =>
        upsertRecords(inside, object, field, part.map(inputOf), allOrNone),
      )
    },
    async delete(name, ids, options = {}) {
      const object = namedObject(ctx, name)
      checkAllowed(object, 'deletable')
      const known = [...new Set(ids.map((id) => namedId(object, id)))]
      return writeParts(ctx, known, options, (inside, part, allOrNone) =>
        deleteRecords(inside, object, part, allOrNone),
      )
    },
    async undelete(name, ids, options = {}) {
      const object = namedObject(ctx, name)
      checkAllowed(object, 'deletable')
      const known = [...new Set(ids.map((id) => namedId(object, id)))]
      return writeParts(ctx, known, options, (inside, part, allOrNone) =>
        undeleteRecords(inside, object, part, allOrNone),
      )
    },
  }
}
