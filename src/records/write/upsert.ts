import { type ApiError, notFound } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import { WrongKind } from '../../schema/fields/field-type.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { findForbidden } from '../prepare/find-forbidden.ts'
import { planRecord } from '../prepare/planned-record.ts'
import type { RecordInput } from '../prepare/record-input.ts'
import { checkRequired, checkWritable, mayUpdate, validateValues } from '../prepare/validate.ts'
import { mayWriteAll } from '../read/row-access.ts'
import { hasTriggers } from '../steps/triggers.ts'
import { findByKey } from './find-by-key.ts'
import { planInsert } from './insert.ts'
import { prepareRecord } from './prepare.ts'
import { isOnlyWritten } from './run-write.ts'
import { sendBytesAhead } from './send-bytes-ahead.ts'
import { updateByKey } from './update-by-key.ts'
import { writePlanned } from './write-planned.ts'

/** The written record, or the records that share the key, in which case nothing was written. (docs/reference/api/records.md#upsert) */
type UpsertOutcome =
  | { readonly id: string; readonly created: boolean }
  | { readonly matches: readonly string[] }

/** Maximum number of matches in a reply with status 300. */
export const MAX_MATCHES = 2000

function parseKey(key: Field, text: string): Exclude<ColumnValue, null> {
  try {
    const value = key.type.coerce(text, key)
    if (value !== null) return value
  } catch (error) {
    if (!(error instanceof WrongKind)) throw error
  }
  throw notFound()
}

/**
 * Updates the record whose key has the value, or creates it. With a unique key the update is tried first. A call that
 * loses the race for a new key updates the winner's record, so the outcome is the same as if the calls ran in sequence.
 */
export async function upsertRecord(
  ctx: Context,
  named: ObjectType,
  namedKey: Field,
  text: string,
  input: RecordInput,
  updateOnly: boolean,
): Promise<UpsertOutcome> {
  const forbidden = updateOnly ? findForbidden(named, 'update') : findForbidden(named, 'update', 'insert')
  if (forbidden !== undefined) throw forbidden
  const object = unrestricted(named)
  const value = parseKey(namedKey, text)
  const values = await prepareRecord(ctx, named, input, 'upsert', namedKey)
  const key = object.field(namedKey.name)!
  validateValues(new Map([[key, value]]))
  return sendBytesAhead(ctx, [values], async () => {
    let duplicate: ApiError | undefined
    for (;;) {
      const found = await updateExisting(ctx, object, key, value, values)
      if (found !== undefined) return found
      if (updateOnly) throw notFound()
      // A new record gets the key's value, too, so the caller must be able to write it.
      checkWritable(new Map([[namedKey, value]]), 'create')
      // No record has the key, so the duplicate value is in another unique field.
      if (duplicate !== undefined) throw duplicate
      const record = await planInsert(ctx, object, completeFor(object, key, value, values))
      const refused = (await writePlanned({ ctx, kind: 'insert', object, records: [record] }, false)).get(
        record,
      )
      if (refused === undefined) return { id: record.id, created: true }
      if (refused.code !== 'DUPLICATE_VALUE') throw refused
      duplicate = refused
    }
  })
}

/** The values of a new record with its key. */
function completeFor(object: ObjectType, key: Field, value: ColumnValue, values: RecordValues): RecordValues {
  const complete: RecordValues = new Map([[key, value], ...values])
  checkWritable(complete, 'create')
  checkRequired(object, complete, 'create')
  return complete
}

async function updateExisting(
  ctx: Context,
  object: ObjectType,
  key: Field,
  value: Exclude<ColumnValue, null>,
  values: RecordValues,
): Promise<UpsertOutcome | undefined> {
  const isSimple =
    key.definition.unique === true &&
    values.size > 0 &&
    mayUpdate(values) &&
    mayWriteAll(ctx, object, 'full') &&
    isOnlyWritten(ctx, object, [planRecord('', values)]) &&
    // Bytes would be sent to the database twice if the record does not exist.
    !object.hasBytes &&
    // Encryption binds a value to its record, which is not known yet.
    !object.encryptedFields.some((field) => values.has(field))
  if (isSimple) {
    const id = await updateByKey(ctx, object, key, value, values)
    return id === undefined ? undefined : { id, created: false }
  }
  const matches = await findByKey(ctx, object, key, value, MAX_MATCHES)
  const [id] = matches
  if (id === undefined) return undefined
  if (matches.length > 1) return { matches }
  checkWritable(values, 'update')
  if (!hasTriggers(ctx, object, 'update')) checkRequired(object, values, 'update')
  const record = planRecord(id, values)
  const refused = (await writePlanned({ ctx, kind: 'update', object, records: [record] }, false)).get(record)
  if (refused === undefined) return { id, created: false }
  // The record was deleted meanwhile.
  if (refused.status === 404) return undefined
  throw refused
}
