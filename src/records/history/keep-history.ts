import { valueLocation } from '../../access/value-cipher.ts'
import { WrongSecretKey } from '../../auth/keys/secret-box.ts'
import { oncePer } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import { historyObjectName } from '../../schema/change/history-objects.ts'
import type { Field } from '../../schema/fields/field.ts'
import { isTracked } from '../../schema/fields/tracked-field.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { PlannedRecord } from '../prepare/planned-record.ts'
import type { Observer, PlannedWrite } from '../prepare/planned-write.ts'
import { historySql, type Tracked } from './history.sql.ts'

/** Ids for new records of an object. */
export async function makeIds(
  { ids, db }: Pick<Context, 'ids' | 'db'>,
  { keyPrefix }: ObjectType,
  count: number,
): Promise<string[]> {
  const made: string[] = []
  while (made.length < count) made.push(await ids.make(keyPrefix, db))
  return made
}

function find(schema: SchemaSnapshot, object: ObjectType): Tracked | undefined {
  const history = schema.object(historyObjectName(object.name))
  const parent = history?.fields.find(({ definition }) => definition.masterDetail !== undefined)
  if (history === undefined || parent === undefined) return undefined
  const targetsOf = (field: Field) => field.referenceTo.flatMap((name) => schema.object(name) ?? [])
  return { object, history, parent, targetsOf }
}

const trackedIn = oncePer((schema: SchemaSnapshot) => oncePer((object: ObjectType) => find(schema, object)))

function findTracked({ schema }: Pick<Context, 'schema'>, object: ObjectType): Tracked | undefined {
  if (object.definition.trackHistory !== true) return undefined
  return trackedIn(schema)(object)
}

/** One statement for the list. */
async function keepCreations({ ctx, object, records }: PlannedWrite, audit: AuditFields): Promise<void> {
  const tracked = findTracked(ctx, object)
  if (tracked === undefined) return
  const ids = await makeIds(ctx, tracked.history, records.length)
  const created = records.map(({ id }) => id)
  await ctx.db.query(historySql.creations(ctx.org, tracked, ids, created, audit))
}

function opens({ cipher }: Context, stored: string, value: unknown, location: string): boolean {
  try {
    return cipher.open(stored, location) === value
  } catch (error) {
    if (error instanceof WrongSecretKey) return false
    throw error
  }
}

/** The records without the encrypted values that they have already: the database cannot compare them. */
async function withoutSame(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<readonly PlannedRecord[]> {
  const isWritten = (field: Field) => isTracked(field) && records.some(({ values }) => values.has(field))
  const fields = object.encryptedFields.filter(isWritten)
  if (fields.length === 0) return records
  const ids = records.map(({ id }) => id)
  const rows = await ctx.db.rows(historySql.encrypted(ctx.org, object, fields, ids))
  const stored = new Map(rows.map(([id, ...values]) => [id, values]))
  return records.map((record) => {
    const values = new Map(record.values)
    for (const [index, field] of fields.entries()) {
      const was = stored.get(record.id)?.[index]
      const location = valueLocation(object, field, record.id)
      if (typeof was === 'string' && opens(ctx, was, values.get(field), location)) values.delete(field)
    }
    return { ...record, values }
  })
}

/**
 * One statement for the list, and one where encrypted values are written.
 * @returns where rows were made, their time, which is later than the locks of the records
 */
async function keepChanges(
  { ctx, object, records: written }: PlannedWrite,
  audit: AuditFields,
): Promise<AuditFields> {
  const tracked = findTracked(ctx, object)
  if (tracked === undefined) return audit
  const records = await withoutSame(ctx, object, written)
  const fields = object.fields.filter(
    (field) => isTracked(field) && records.some(({ values }) => values.has(field)),
  )
  if (fields.length === 0) return audit
  const statement = historySql.changes(ctx.org, tracked, fields, records, audit)
  const [row] = await ctx.db.query<{ time: string | null }>(statement)
  const time = row?.time ?? audit.timestamp.time
  return { ...audit, timestamp: { ...audit.timestamp, time } }
}

/** Keeps what was created and changed, and by whom. (docs/reference/api/history.md) */
export const HISTORY: Observer = {
  wants: (_ctx, kind, object, fields) =>
    unrestricted(object).definition.trackHistory === true &&
    (kind === 'insert' || (kind === 'update' && Iterator.from(fields).some(isTracked))),
  async tell(write, audit) {
    if (write.kind === 'update') return keepChanges(write, audit)
    await keepCreations(write, audit)
    return audit
  },
}
