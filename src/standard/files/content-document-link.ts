import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { uniqueTogether } from '../behaviour/unique-together.ts'
import { FILE_LOCATIONS } from '../values/targets.ts'

/** Where a file is: at a record, or with a user. */
export const CONTENT_DOCUMENT_LINK: ObjectDefinition = {
  name: 'ContentDocumentLink',
  label: 'Content Document Link',
  labelPlural: 'Content Document Links',
  keyPrefix: '06A',
  ownerless: true,
  searchable: false,
  fields: [
    {
      name: 'LinkedEntityId',
      label: 'Linked Entity ID',
      type: 'reference',
      to: FILE_LOCATIONS,
      toCustom: 'all',
      relationship: 'LinkedEntity',
      children: 'ContentDocumentLinks',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'ContentDocumentId',
      label: 'ContentDocument ID',
      type: 'reference',
      to: ['ContentDocument'],
      relationship: 'ContentDocument',
      children: 'ContentDocumentLinks',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    {
      name: 'ShareType',
      label: 'Share Type',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'V', label: 'Viewer', default: true },
        { value: 'C', label: 'Collaborator' },
        { value: 'I', label: 'Inferred' },
      ],
      restricted: true,
    },
    {
      name: 'Visibility',
      label: 'Visibility',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'AllUsers', label: 'All Users', default: true },
        { value: 'InternalUsers', label: 'Standard Users' },
        { value: 'SharedUsers', label: 'Shared Users' },
      ],
      restricted: true,
    },
  ],
}

/** (docs/reference/api/records.md#files) */
export const CONTENT_DOCUMENT_LINK_BEHAVIOUR: ObjectBehaviour = {
  refuseInsert: uniqueTogether(
    ['ContentDocumentId', 'LinkedEntityId'],
    (file, location) => `Document with ID: ${file} is already linked with the entity with ID: ${location}`,
    ['LinkedEntityId'],
  ),
}
