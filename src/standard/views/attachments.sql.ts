import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { ATTACHMENT_LOCATIONS, FILE_LOCATIONS, NOTE_LOCATIONS } from '../values/targets.ts'
import { onlyId } from './check-characters.sql.ts'
import { flag, makeViewObject, nameText, picklist, reference, text, whole } from './view-object.ts'

type ViewObject = Parameters<typeof makeViewObject>[0]

/** An object that is read as children of the records that something hangs on. Statements make the rows. */
const makeChildView = (object: ViewObject, fields: readonly FieldDefinition[]): ObjectDefinition =>
  makeViewObject(object, fields, {
    perCaller: true,
    childOnly: true,
    from: '(values (0)) none where false',
    columns: { id: onlyId(object.keyPrefix) },
  })

const FILE_FACTS = [
  text('FileType', 'File Type', 20),
  whole('ContentSize', 'Content Size'),
  text('FileExtension', 'File Extension', 40),
  text('ContentUrl', 'Content URL'),
  text('ExternalDataSourceName', 'External Data Source Name'),
  text('ExternalDataSourceType', 'External Data Source Type', 40),
  text('SharingOption', 'Sharing Option', 40),
]

/** The files of a record. */
export const ATTACHED_CONTENT_DOCUMENT = makeChildView(
  {
    name: 'AttachedContentDocument',
    label: 'Attached Content Document',
    labelPlural: 'Attached Content Documents',
    keyPrefix: '0ad',
  },
  [
    {
      ...reference('LinkedEntityId', 'Linked Entity ID', ...FILE_LOCATIONS),
      toCustom: 'all',
      children: 'AttachedContentDocuments',
      describedDelete: 'cascade',
    },
    reference('ContentDocumentId', 'ContentDocument ID', 'ContentDocument'),
    nameText('Title', 'Title'),
    ...FILE_FACTS,
  ],
)

/** Files, attachments and notes of a record. */
export const COMBINED_ATTACHMENT = makeChildView(
  {
    name: 'CombinedAttachment',
    label: 'Combined Attachment',
    labelPlural: 'Combined Attachments',
    keyPrefix: '0ca',
  },
  [
    {
      ...reference('ParentId', 'Parent ID', ...ATTACHMENT_LOCATIONS),
      toCustom: 'all',
      children: 'CombinedAttachments',
      describedDelete: 'cascade',
    },
    picklist('RecordType', 'Record Type', ['File', 'Attachment', 'Note', 'GoogleDoc']),
    nameText('Title', 'Title'),
    ...FILE_FACTS,
  ],
)

/** Notes and attachments of a record. */
export const NOTE_AND_ATTACHMENT = makeChildView(
  {
    name: 'NoteAndAttachment',
    label: 'Note and Attachment',
    labelPlural: 'Notes and Attachments',
    keyPrefix: '0na',
  },
  [
    flag('IsNote', 'Is Note'),
    {
      ...reference('ParentId', 'Parent ID', ...NOTE_LOCATIONS),
      toCustom: 'all',
      children: 'NotesAndAttachments',
      describedDelete: 'cascade',
    },
    nameText('Title', 'Title'),
    flag('IsPrivate', 'Private'),
    reference('OwnerId', 'Owner ID', 'User'),
  ],
)
