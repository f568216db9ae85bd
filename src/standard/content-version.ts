import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { FILE_LOCATIONS } from './file-places.ts'
import { notWritable } from './not-writable.ts'

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
    { name: 'ReasonForChange', label: 'Reason For Change', type: 'longtextarea', length: 1000 },
    { name: 'PathOnClient', label: 'Path On Client', type: 'string', length: 500, updateable: false },
    { name: 'VersionData', label: 'Version Data', type: 'base64', required: true, updateable: false },
    { name: 'ContentSize', label: 'Size', type: 'int', ...notWritable },
    { name: 'FileType', label: 'File Type', type: 'string', length: 20, ...notWritable },
    { name: 'FileExtension', label: 'File Extension', type: 'string', length: 40, ...notWritable },
    { name: 'Checksum', label: 'Checksum', type: 'string', length: 50, ...notWritable },
    {
      name: 'FirstPublishLocationId',
      label: 'First Publish Location ID',
      type: 'reference',
      to: FILE_LOCATIONS,
      relationship: 'FirstPublishLocation',
      updateable: false,
    },
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
