import { SYSTEM_ACCESS } from '../../access/access.ts'
import { decodeInSlices } from '../../access/decode-in-slices.ts'
import { makeOpenValue } from '../../access/open-values.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import {
  type DecodeContext,
  fullRecordFormat,
  type RecordBody,
  RecordFormat,
} from '../../schema/snapshot/record-format.sql.ts'
import { selectById, selectByIds, type Wanted } from './read.sql.ts'
import { rowsFor } from './row-access.ts'

/**
 * The fields of `?fields=a,b` in the requested order, without duplicates.
 * @throws ApiError INVALID_FIELD
 */
export function findFields(object: ObjectType, names: readonly string[]): Set<Field> {
  const fields = new Set<Field>()
  for (const requested of names) {
    const name = requested.trim()
    const field = object.field(name)
    if (field === undefined) {
      throw new ApiError(
        'INVALID_FIELD',
        `No such column '${name.slice(0, 255)}' on entity '${object.name}'. If you are attempting to use a custom field, be sure to append the '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.`,
      )
    }
    fields.add(field)
  }
  return fields
}

/** The same, with `Id` added at the end if it was not requested. (docs/reference/api/records.md#read) */
export const requestedFields = (object: ObjectType, names: readonly string[]): Field[] => [
  ...findFields(object, names).add(object.field('Id')!),
]

const makeDecodeContext = (ctx: Context, access = ctx.access): DecodeContext => ({
  versionPath: ctx.version.path,
  open: makeOpenValue({ access, cipher: ctx.cipher, observe: ctx.observe }),
})

interface ReadRecord {
  readonly record: RecordBody
  /** Changes with every change of the record. */
  readonly tag: string
}

/** A live record with all its fields, or with the fields of `?fields=`. */
export async function readRecord(
  ctx: Context,
  object: ObjectType,
  id: string,
  fieldNames: string | null,
): Promise<ReadRecord> {
  const shape =
    fieldNames === null
      ? fullRecordFormat(object)
      : new RecordFormat(object, requestedFields(object, fieldNames.split(',')))
  const [row] = await ctx.db.rows(selectById(ctx.org, shape, id, rowsFor(ctx, object, 'read')))
  if (row === undefined) throw new ApiError('NOT_FOUND', 'The requested resource does not exist')
  return { record: shape.read(row, 0, makeDecodeContext(ctx))!, tag: row.at(-1) as string }
}

/** Records with all their fields, by id, without access checks: for triggers. */
export async function readRecords(
  ctx: Context,
  object: ObjectType,
  records: readonly { readonly id: string }[],
  wanted: Wanted = 'living',
): Promise<ReadonlyMap<string, RecordBody>> {
  const ids = records.map(({ id }) => id)
  return readMany(ctx, makeDecodeContext(ctx, SYSTEM_ACCESS), fullRecordFormat(object), ids, wanted)
}

async function readMany(
  ctx: Context,
  decoding: DecodeContext,
  shape: RecordFormat,
  ids: readonly string[],
  wanted: Wanted,
  rule?: Sql,
): Promise<ReadonlyMap<string, RecordBody>> {
  const rows = await ctx.db.rows(selectByIds(ctx.org, shape, ids, wanted, rule))
  return decodeInSlices({ open: decoding.open, deadline: ctx.deadline }, function* (open) {
    const how = { ...decoding, open }
    const records = new Map<string, RecordBody>()
    for (const row of rows) {
      records.set(row[0] as string, shape.read(row, 0, how)!)
      yield
    }
    return records
  })
}

/** Live records with the requested fields, by id, as the caller sees them. Ids that are not found are left out. */
export async function readListed(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  fieldNames: readonly string[],
): Promise<ReadonlyMap<string, RecordBody>> {
  const shape = new RecordFormat(object, requestedFields(object, fieldNames))
  return readMany(ctx, makeDecodeContext(ctx), shape, ids, 'living', rowsFor(ctx, object, 'read'))
}
