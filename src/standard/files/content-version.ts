import { createHash } from 'node:crypto'
import type { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { type ColumnValue, isBytes, WaitingBytes } from '../../storage/database/db.ts'
import {
  type Complete,
  getText,
  integrityError,
  missingError,
  type ObjectBehaviour,
  type Write,
  type WrittenRecord,
} from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { FILE_LOCATIONS } from '../values/targets.ts'
import { contentVersionSql } from './content-version.sql.ts'
import { PUBLISHING } from './file-publishing.ts'
import { getExtension, getFileType } from './file-types.ts'

/** One state of a file, with its bytes. */
export const CONTENT_VERSION: ObjectDefinition = {
  name: 'ContentVersion',
  label: 'Content Version',
  labelPlural: 'Content Versions',
  keyPrefix: '068',
  deletable: false,
  fields: [
    {
      name: 'ContentDocumentId',
      label: 'ContentDocument ID',
      type: 'reference',
      to: ['ContentDocument'],
      relationship: 'ContentDocument',
      children: 'ContentVersions',
      onDelete: 'cascade',
      updateable: false,
    },
    { name: 'IsLatest', label: 'Is Latest', type: 'boolean', ...notWritable },
    { name: 'VersionNumber', label: 'Version Number', type: 'string', length: 20, ...notWritable },
    { name: 'Title', label: 'Title', type: 'string', length: 255, nameField: true },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 1000 },
    {
      name: 'ReasonForChange',
      label: 'Reason For Change',
      type: 'longtextarea',
      length: 1000,
      updateable: false,
    },
    { name: 'PathOnClient', label: 'Path On Client', type: 'string', length: 500, updateable: false },
    { name: 'VersionData', label: 'Version Data', type: 'base64', required: true, updateable: false },
    { name: 'ContentBodyId', label: 'Content Body ID', type: 'string', length: 18, updateable: false },
    {
      name: 'VersionDataUrl',
      label: 'VersionDataUrl',
      type: 'url',
      length: 255,
      addressOf: 'VersionData',
      ...notWritable,
    },
    // Clients that write all fields send null.
    { name: 'ContentUrl', label: 'Content URL', type: 'url', length: 1300, updateable: false },
    {
      name: 'ContentLocation',
      label: 'Content Origin',
      type: 'picklist',
      length: 40,
      required: true,
      values: [
        { value: 'S', label: 'Stored Here', default: true },
        { value: 'E', label: 'External', inactive: true },
        { value: 'L', label: 'Link', inactive: true },
      ],
      restricted: true,
      updateable: false,
    },
    { name: 'ContentModifiedDate', label: 'Content Modified Date', type: 'datetime', ...notWritable },
    {
      name: 'ContentModifiedById',
      label: 'User ID',
      type: 'reference',
      to: ['User'],
      relationship: 'ContentModifiedBy',
      ...notWritable,
    },
    { name: 'ContentSize', label: 'Size', type: 'int', ...notWritable },
    { name: 'FileType', label: 'File Type', type: 'string', length: 20, ...notWritable },
    { name: 'FileExtension', label: 'File Extension', type: 'string', length: 40, ...notWritable },
    { name: 'Checksum', label: 'Checksum', type: 'string', length: 50, ...notWritable },
    {
      name: 'FirstPublishLocationId',
      label: 'First Publish Location ID',
      type: 'reference',
      to: FILE_LOCATIONS,
      toCustom: 'all',
      relationship: 'FirstPublishLocation',
      updateable: false,
    },
    ...PUBLISHING,
    { name: 'IsMajorVersion', label: 'Is Major Version', type: 'boolean', default: true, ...notWritable },
    { name: 'IsAssetEnabled', label: 'Is Asset Enabled', type: 'boolean' },
    { name: 'TagCsv', label: 'Tags', type: 'longtextarea', length: 2000 },
    {
      name: 'Origin',
      label: 'Content Origin',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'C', label: 'Content', default: true },
        { value: 'H', label: 'Chatter' },
      ],
      updateable: false,
    },
  ],
}

const computeMd5 = (bytes: Uint8Array | WaitingBytes) =>
  bytes instanceof WaitingBytes ? bytes.md5 : createHash('md5').update(bytes).digest('hex')

/** Returns the title of a file without one: its name without the extension. */
const makeTitle = (name: string, extension: string | undefined) =>
  (extension === undefined ? name : name.slice(0, -extension.length - 1)).slice(0, 255) || name

/** Tags in order, each once, without blanks around them. */
const sortTags = (tags: string) =>
  [...new Set(tags.split(',').map((tag) => tag.trim()))]
    .filter((tag) => tag !== '')
    .sort()
    .join(',')

/** Sets the fields that follow from the bytes and their path on the client. */
const completeVersion: Complete = (values, object) => {
  if (getText(object, values, 'ContentUrl') !== undefined)
    throw integrityError('Files are kept here, and links to other places are not', 'ContentUrl')
  const tags = getText(object, values, 'TagCsv')
  if (tags !== undefined) values.set(object.field('TagCsv')!, sortTags(tags))
  const bytes = values.get(object.field('VersionData')!)
  if (!isBytes(bytes)) return
  const path = getText(object, values, 'PathOnClient')
  if (path === undefined) throw missingError(['PathOnClient'])
  const name = path.split(/[\\/]/).at(-1)
  const extension = getExtension(name ?? '')
  const known: Readonly<Record<string, ColumnValue>> = {
    ContentSize: bytes.length,
    Checksum: computeMd5(bytes),
    FileExtension: extension ?? null,
    FileType: getFileType(extension),
    Title: getText(object, values, 'Title') ?? (name ? makeTitle(name, extension) : 'Untitled'),
  }
  for (const [field, value] of Object.entries(known)) values.set(object.field(field)!, value)
}

const completeNewVersion: Complete = (values, object, schema) => {
  const [file, reason, body] = ['ContentDocumentId', 'ReasonForChange', 'ContentBodyId'].map((name) =>
    getText(object, values, name),
  )
  if (reason !== undefined && file === undefined)
    throw integrityError('Only a new version of a file has a reason for its change', 'ReasonForChange')
  if (body !== undefined && isBytes(values.get(object.field('VersionData')!)))
    throw integrityError(
      'Specify only one of these fields: VersionData or ContentBodyId.: Version Data',
      'VersionData',
    )
  completeVersion(values, object, schema)
}

/** Creates a file for each version without one. */
async function addFiles({ object, audit, insert }: Write, versions: readonly WrittenRecord[]): Promise<void> {
  const file = object.field('ContentDocumentId')!
  const without = versions.filter(({ values }) => (values.get(file) ?? null) === null)
  const files = without.map(({ values }) => ({
    Title: getText(object, values, 'Title') ?? 'Untitled',
    OwnerId: values.get(object.field('OwnerId')!) ?? audit.userId,
  }))
  const ids = await insert('ContentDocument', files)
  for (const [index, { values }] of without.entries()) values.set(file, ids[index]!)
}

/** The id that stands for the bytes of a version: its own with another prefix. */
const makeBodyId = (id: string) => canonicalRecordId(`05T${id.slice(3, 15)}`)!

/** Numbers the versions of each file, and their bytes. */
async function numberVersions(
  { db, org, object }: Write,
  versions: readonly WrittenRecord[],
  known: readonly string[],
): Promise<void> {
  const last = new Map<string, number>()
  if (known.length > 0) {
    await db.query(contentVersionSql.lockFiles(org, known))
    const counted = await db.query<{ id: string; last: number }>(contentVersionSql.countVersions(org, known))
    for (const { id, last: number } of counted) last.set(id, number)
  }
  for (const { id, values } of versions) {
    const file = values.get(object.field('ContentDocumentId')!) as string
    const number = (last.get(file) ?? 0) + 1
    last.set(file, number)
    values.set(object.field('VersionNumber')!, String(number))
    values.set(object.field('ContentBodyId')!, makeBodyId(id))
  }
}

/** Publishes the newest version of each file, and links new files to their owner and location. */
async function publish(write: Write, versions: readonly WrittenRecord[]): Promise<void> {
  const { object } = write
  const getFileId = ({ values }: WrittenRecord) => values.get(object.field('ContentDocumentId')!) as string
  const files = [...new Set(versions.map(getFileId))]
  await write.db.query(contentVersionSql.publish(write.org, files, write.audit))
  const links = versions.flatMap((version) => {
    const { values } = version
    if (values.get(object.field('VersionNumber')!) !== '1') return []
    const ContentDocumentId = getFileId(version)
    const owner = values.get(object.field('OwnerId')!) as string
    const location = getText(object, values, 'FirstPublishLocationId')
    const own = { ContentDocumentId, LinkedEntityId: owner, ShareType: 'I' }
    if (location === undefined || location === owner) return [own]
    return [own, { ContentDocumentId, LinkedEntityId: location, ShareType: 'V' }]
  })
  await write.insert('ContentDocumentLink', links)
}

/** The error of a version that is not the latest of its file, which nobody changes. */
const notLatest = () => integrityError('Only the latest version of a file can be changed', 'IsLatest')

/** Refuses earlier versions. Locks the files before their versions, as a new version does. */
async function refuseEarlier<R extends WrittenRecord>(
  { db, org }: Write,
  versions: readonly R[],
): Promise<ReadonlyMap<R, ApiError>> {
  const ids = versions.map(({ id }) => id)
  await db.query(contentVersionSql.lockFilesOf(org, ids))
  const rows = await db.query<{ id: string }>(contentVersionSql.earlier(org, ids))
  const earlier = new Set(rows.map(({ id }) => id))
  return new Map(versions.flatMap((version) => (earlier.has(version.id) ? [[version, notLatest()]] : [])))
}

/** Each version belongs to a file, which the first one creates. (docs/reference/api/records.md#files) */
export const CONTENT_VERSION_BEHAVIOUR: ObjectBehaviour = {
  completeInsert: completeNewVersion,
  completeUpdate: completeVersion,
  async beforeInsert(write, versions) {
    const file = write.object.field('ContentDocumentId')!
    const known = new Set(versions.flatMap(({ values }) => (values.get(file) as string | null) ?? []))
    await addFiles(write, versions)
    await numberVersions(write, versions, [...known])
  },
  afterInsert: publish,
  hooksFor: ['VersionData', 'Title', 'Description'],
  refuseChange: refuseEarlier,
  async afterChange({ db, org, audit }, ids) {
    const files = await db.query<{ id: string }>(contentVersionSql.lockFilesOf(org, ids))
    const listed = files.map(({ id }) => id)
    await db.query(contentVersionSql.publish(org, listed, audit))
  },
  derivation: {
    // Bytes are written with a new version only.
    from: ['PathOnClient'],
    reads: ['ContentModifiedDate', 'ContentModifiedById', 'CreatedDate', 'CreatedById'],
    derive(record) {
      const { now, userId } = record.facts
      if (record.get('ContentModifiedDate') !== null) return
      record.set('ContentModifiedDate', record.isNew ? now : record.get('CreatedDate'))
      record.set('ContentModifiedById', record.isNew ? userId : record.get('CreatedById'))
    },
  },
  mediaTypeField: 'FileExtension',
}
