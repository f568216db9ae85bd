import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { contentVersionSql } from './content-version.sql.ts'
import { PUBLISHING } from './file-publishing.ts'

/** A file; its versions have the bytes. The platform makes it with the first version. */
export const CONTENT_DOCUMENT: ObjectDefinition = {
  name: 'ContentDocument',
  label: 'Content Document',
  labelPlural: 'Content Documents',
  keyPrefix: '069',
  createable: false,
  fields: [
    { name: 'Title', label: 'Title', type: 'string', length: 255, required: true, nameField: true },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 1000 },
    {
      name: 'LatestPublishedVersionId',
      label: 'Latest Published Version ID',
      type: 'reference',
      to: ['ContentVersion'],
      relationship: 'LatestPublishedVersion',
      ...notWritable,
    },
    { name: 'ContentModifiedDate', label: 'Content Modified Date', type: 'datetime', ...notWritable },
    { name: 'ContentSize', label: 'Size', type: 'int', ...notWritable },
    { name: 'FileType', label: 'File Type', type: 'string', length: 20, ...notWritable },
    ...PUBLISHING,
    { name: 'IsArchived', label: 'Is Archived', type: 'boolean', ...notWritable },
    {
      name: 'ArchivedById',
      label: 'Archived By ID',
      type: 'reference',
      to: ['User'],
      relationship: 'ArchivedBy',
      ...notWritable,
    },
    { name: 'ArchivedDate', label: 'Archived Date', type: 'date', ...notWritable },
    { name: 'FileExtension', label: 'File Extension', type: 'string', length: 40, ...notWritable },
  ],
}

/** A file and its latest version have one title and one description. */
export const CONTENT_DOCUMENT_BEHAVIOUR: ObjectBehaviour = {
  hooksFor: ['Title', 'Description'],
  afterChange: async ({ db, org, audit }, ids) =>
    void (await db.query(contentVersionSql.describeLatest(org, ids, audit))),
}
