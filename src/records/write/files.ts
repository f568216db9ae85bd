import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { WaitingBytes } from '../../storage/database/waiting-bytes.ts'
import { extensionOf, fileTypeOf } from '../files/content-type.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { type PlannedRecord, planRecord } from '../prepare/planned-record.ts'
import { makeAuditFields } from './audit-fields.ts'
import { filesSql } from './files.sql.ts'
import { getText } from './setup-records.ts'
import { writeSql } from './write.sql.ts'

/*
 * Files: the fields that describe a record's bytes, and the file that a version belongs to. (docs/reference/api/records.md#files)
 */

const VERSION = 'ContentVersion'

/** Whether writing records of the object creates files. */
export const makesFiles = (object: ObjectType): boolean => object.name === VERSION

const isBytes = (value: ColumnValue | undefined): value is Uint8Array | WaitingBytes =>
  value instanceof Uint8Array || value instanceof WaitingBytes

const computeMd5 = (bytes: Uint8Array | WaitingBytes) =>
  bytes instanceof WaitingBytes ? bytes.md5 : createHash('md5').update(bytes).digest('hex')

/** Sets the fields of a version that follow from its bytes and its path on the client. */
function completeVersion(object: ObjectType, values: RecordValues, bytes: Uint8Array | WaitingBytes): void {
  const path = getText(object, values, 'PathOnClient')
  const name = path?.split(/[\\/]/).at(-1)
  const extension = extensionOf(name ?? '')
  const known: Readonly<Record<string, ColumnValue>> = {
    ContentSize: bytes.length,
    Checksum: computeMd5(bytes),
    FileExtension: extension ?? null,
    FileType: fileTypeOf(extension),
    Title: getText(object, values, 'Title') ?? name?.slice(0, 255) ?? 'Untitled',
  }
  for (const [field, value] of Object.entries(known)) values.set(object.field(field)!, value)
}

/** Sets the fields that describe the bytes to be written: length, checksum, type. */
export function describeBytes(object: ObjectType, records: readonly PlannedRecord[]): void {
  if (!object.hasBytes) return
  const length = object.field('BodyLength')
  const [body, data] = [object.field('Body'), object.field('VersionData')]
  for (const record of records) {
    record.values = new Map(record.values)
    const { values } = record
    if (length !== undefined && body !== undefined && values.has(body)) {
      const bytes = values.get(body)
      values.set(length, isBytes(bytes) ? bytes.length : 0)
    }
    const bytes = data === undefined ? undefined : values.get(data)
    if (makesFiles(object) && isBytes(bytes)) completeVersion(object, values, bytes)
  }
}

/** A record that the platform adds to those of the caller. */
async function planAddedRecord(
  ctx: Context,
  object: ObjectType,
  given: Readonly<Record<string, ColumnValue>>,
  id?: string,
): Promise<PlannedRecord> {
  const values: RecordValues = new Map<Field, ColumnValue>(
    Object.entries(given).map(([name, value]) => [object.field(name)!, value]),
  )
  applyDefaults(object, values)
  return planRecord(id ?? (await ctx.ids.make(object.keyPrefix, ctx.db)), values)
}

const insertAdded = async (ctx: Context, object: ObjectType, records: readonly PlannedRecord[]) => {
  if (records.length > 0) await ctx.db.query(writeSql.insert(ctx.org, object, records, makeAuditFields(ctx)))
}

/** Before versions are written: creates a file for each version without one, and numbers the versions. */
export async function assignFiles(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  if (!makesFiles(object)) return
  const document = requireObject(ctx.schema, 'ContentDocument')
  const link = object.field('ContentDocumentId')!
  const known = [...new Set(records.flatMap(({ values }) => (values.get(link) as string | null) ?? []))]
  const made: PlannedRecord[] = []
  for (const { values } of records) {
    if ((values.get(link) ?? null) !== null) continue
    const OwnerId = values.get(object.field('OwnerId')!) ?? ctx.principal.userId
    const Title = getText(object, values, 'Title') ?? 'Untitled'
    const file = await planAddedRecord(ctx, document, { Title, OwnerId })
    made.push(file)
    values.set(link, file.id)
  }
  await insertAdded(ctx, document, made)
  const last = new Map<string, number>()
  if (known.length > 0) {
    await ctx.db.query(filesSql.lockFiles(ctx.org, known))
    const counted = await ctx.db.query<{ id: string; last: number }>(filesSql.countVersions(ctx.org, known))
    for (const { id, last: number } of counted) last.set(id, number)
  }
  for (const { values } of records) {
    const file = values.get(link) as string
    const number = (last.get(file) ?? 0) + 1
    last.set(file, number)
    values.set(object.field('VersionNumber')!, String(number))
  }
}

/** After versions were written: publishes the newest one of each file, and links new files to their owner and location. */
export async function publishFiles(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  if (!makesFiles(object)) return
  const getFileId = ({ values }: PlannedRecord) => values.get(object.field('ContentDocumentId')!) as string
  const files = [...new Set(records.map(getFileId))]
  await ctx.db.query(filesSql.publish(ctx.org, files, makeAuditFields(ctx)))
  const link = requireObject(ctx.schema, 'ContentDocumentLink')
  const links: PlannedRecord[] = []
  for (const record of records) {
    if (record.values.get(object.field('VersionNumber')!) !== '1') continue
    const ContentDocumentId = getFileId(record)
    const owner = record.values.get(object.field('OwnerId')!) as string
    const location = getText(object, record.values, 'FirstPublishLocationId')
    links.push(await planAddedRecord(ctx, link, { ContentDocumentId, LinkedEntityId: owner, ShareType: 'I' }))
    if (location !== undefined && location !== owner) {
      links.push(
        await planAddedRecord(ctx, link, { ContentDocumentId, LinkedEntityId: location, ShareType: 'V' }),
      )
    }
  }
  await insertAdded(ctx, link, links)
}
