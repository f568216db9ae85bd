import { type Access, SYSTEM_ACCESS } from '../../access/access.ts'
import { decodeInSlices } from '../../access/decode-in-slices.ts'
import { makeOpenValue } from '../../access/open-values.ts'
import { ApiError, notFound } from '../../base/api-error.ts'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { Json } from '../../base/json.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import { UNBOUNDED } from '../../quota/answer-bytes.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import {
  type DecodeContext,
  fullRecordFormat,
  type RecordBody,
  RecordFormat,
} from '../../schema/snapshot/record-format.sql.ts'
import type { CoalescedWork } from '../../storage/database/coalescer.ts'
import type { Row } from '../../storage/database/db.ts'
import { makeSelectTogether, selectById, selectByIds, type Wanted } from './read.sql.ts'
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
  origin: ctx.origin,
  open: makeOpenValue({ access, cipher: ctx.cipher, observe: ctx.observe }),
  hasNumbers: ctx.hasNumbers,
})

/** Maximum number of field lists per object whose formats are kept. */
const MAX_FORMATS = 200

/** Longer lists are not kept, in characters. */
const MAX_KEPT_LIST = 2000

const formatsOf = oncePer<ObjectType, Map<string, RecordFormat>>(() => new Map())

/** The format of the fields of `?fields=`, which is kept: clients repeat their lists. */
function formatOf(object: ObjectType, fieldNames: string): RecordFormat {
  const ofObject = formatsOf(object)
  const known = ofObject.get(fieldNames)
  if (known !== undefined) return known
  const made = new RecordFormat(object, requestedFields(object, fieldNames.split(',')))
  if (ofObject.size < MAX_FORMATS && fieldNames.length <= MAX_KEPT_LIST) ofObject.set(fieldNames, made)
  return made
}

type Reading = CoalescedWork<string, Row | undefined>

const readingsOf = oncePer<RecordFormat, WeakMap<Access, Reading>>(() => new WeakMap())

/** Reads records by id for one user who may see all of them, several calls at a time. */
function readingFor(ctx: Context, shape: RecordFormat): Reading {
  return getOrInsert(readingsOf(shape), ctx.access, () => {
    const select = makeSelectTogether(ctx.org, shape, ctx.principal.userId)
    return {
      async run(db, ids) {
        const rows = await db.rows(select(ids))
        if (ids.length === 1) return [rows[0]]
        const byId = new Map(rows.map((row) => [row[0], row]))
        return ids.map((id) => byId.get(id))
      },
    }
  })
}

/**
 * Refuses objects that have no records.
 * @throws ApiError
 */
function checkKept({ name }: ObjectType): void {
  if (!isEventObject(name)) return
  throw new ApiError('INVALID_TYPE_FOR_OPERATION', `entity type ${name} does not support retrieve`)
}

interface Found {
  readonly shape: RecordFormat
  readonly row: Row
}

async function findRow(
  ctx: Context,
  object: ObjectType,
  id: string,
  fieldNames: string | null,
): Promise<Found> {
  checkKept(object)
  const shape = fieldNames === null ? fullRecordFormat(object) : formatOf(object, fieldNames)
  const rule = rowsFor(ctx, object, 'read')
  // Code that runs without a user shares its access among users and orgs.
  const row =
    rule === undefined && ctx.access !== SYSTEM_ACCESS
      ? await ctx.db.coalesce(readingFor(ctx, shape), id)
      : (await ctx.db.rows(selectById(ctx.org, shape, id, rule)))[0]
  if (row === undefined) throw notFound()
  return { shape, row }
}

/** A live record with all its fields, or with the fields of `?fields=`. */
export async function readRecord(
  ctx: Context,
  object: ObjectType,
  id: string,
  fieldNames: string | null,
): Promise<RecordBody> {
  const { shape, row } = await findRow(ctx, object, id, fieldNames)
  return shape.read(row, 0, makeDecodeContext(ctx))!
}

interface WrittenRecord {
  readonly json: Json
  /** Changes with every change of the record. */
  readonly tag: string
}

/** The same as JSON, which is faster. */
export async function writeRecord(
  ctx: Context,
  object: ObjectType,
  id: string,
  fieldNames: string | null,
): Promise<WrittenRecord> {
  const { shape, row } = await findRow(ctx, object, id, fieldNames)
  return { json: new Json(shape.write(row, 0, makeDecodeContext(ctx))), tag: row.at(-1) as string }
}

/** Records with all their fields, or those of a format, by id, without access checks: for triggers. */
export async function readRecords(
  ctx: Context,
  object: ObjectType,
  records: readonly { readonly id: string }[],
  wanted: Wanted = 'living',
  format: RecordFormat = fullRecordFormat(object),
): Promise<ReadonlyMap<string, RecordBody>> {
  const ids = records.map(({ id }) => id)
  const inside = { ...ctx, answer: UNBOUNDED, hasNumbers: true }
  const decoding = makeDecodeContext(inside, SYSTEM_ACCESS)
  const select = selectByIds(ctx.org, format, ids, wanted)
  return readMany(inside, decoding, format, { ids, select }, (row, how) => format.read(row, 0, how)!)
}

/** @param decode makes what there is to be of each record */
async function readMany<Decoded>(
  ctx: Context,
  decoding: DecodeContext,
  shape: RecordFormat,
  { ids, select }: { readonly ids: readonly string[]; readonly select: Sql },
  decode: (row: Row, how: DecodeContext) => Decoded,
): Promise<ReadonlyMap<string, Decoded>> {
  const { rows, isCut } = await ctx.answer.rows({
    db: ctx.db,
    statement: select,
    width: shape.width,
    max: ids.length,
  })
  if (isCut) throw ctx.answer.tooLarge()
  return decodeInSlices({ open: decoding.open, deadline: ctx.deadline }, function* (open) {
    const how = { ...decoding, open }
    const records = new Map<string, Decoded>()
    for (const row of rows) {
      records.set(row[0] as string, decode(row, how))
      yield
    }
    return records
  })
}

function decodeListed<Decoded>(
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  fieldNames: readonly string[],
  decode: (shape: RecordFormat, row: Row, how: DecodeContext) => Decoded,
): Promise<ReadonlyMap<string, Decoded>> {
  checkKept(object)
  const shape = new RecordFormat(object, requestedFields(object, fieldNames))
  const select = selectByIds(ctx.org, shape, ids, 'living', rowsFor(ctx, object, 'read'))
  return readMany(ctx, makeDecodeContext(ctx), shape, { ids, select }, (row, how) => decode(shape, row, how))
}

/** Live records with the requested fields, by id, as the caller sees them. Ids that are not found are left out. */
export const readListed = (
  ctx: Context,
  object: ObjectType,
  ids: readonly string[],
  fieldNames: readonly string[],
): Promise<ReadonlyMap<string, RecordBody>> =>
  decodeListed(ctx, object, ids, fieldNames, (shape, row, how) => shape.read(row, 0, how)!)

/**
 * The same as a list in JSON, in the order of the ids, with null for what is not found.
 * @param listed undefined for what is no id
 */
export async function writeListed(
  ctx: Context,
  object: ObjectType,
  listed: readonly (string | undefined)[],
  fieldNames: readonly string[],
): Promise<Json> {
  const ids = listed.filter((id) => id !== undefined)
  const texts = await decodeListed(ctx, object, ids, fieldNames, (shape, row, how) =>
    shape.write(row, 0, how),
  )
  // A record that is asked for several times is one text.
  const pieces = listed.flatMap((id, index) => [
    index === 0 ? '' : ',',
    (id === undefined ? undefined : texts.get(id)) ?? 'null',
  ])
  return new Json(['[', ...pieces, ']'])
}
