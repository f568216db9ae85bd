import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'

/** How a file and its versions are published: every file is there for all whom it is linked to. */
export const PUBLISHING: readonly FieldDefinition[] = [
  {
    name: 'PublishStatus',
    label: 'Publish Status',
    type: 'picklist',
    length: 40,
    required: true,
    values: [
      { value: 'P', label: 'Public', default: true },
      { value: 'R', label: 'Personal Library' },
      { value: 'U', label: 'Upload Interrupted' },
    ],
    restricted: true,
    ...notWritable,
  },
  {
    name: 'SharingOption',
    label: 'Prevent others from sharing and unsharing',
    type: 'picklist',
    length: 40,
    required: true,
    values: [
      { value: 'A', label: 'Allowed', default: true },
      { value: 'R', label: 'Restricted' },
    ],
    restricted: true,
    ...notWritable,
  },
  {
    name: 'SharingPrivacy',
    label: 'File Privacy on Records',
    type: 'picklist',
    length: 40,
    required: true,
    values: [
      { value: 'N', label: 'Visible to Anyone With Record Access', default: true },
      { value: 'P', label: 'Private on Records' },
    ],
    restricted: true,
    ...notWritable,
  },
]
