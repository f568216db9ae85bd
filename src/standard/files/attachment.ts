import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { isBytes } from '../../storage/database/db.ts'
import type { Complete, ObjectBehaviour } from '../behaviour/behaviour.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { ATTACHMENT_LOCATIONS } from '../values/targets.ts'

export const ATTACHMENT: ObjectDefinition = {
  name: 'Attachment',
  label: 'Attachment',
  labelPlural: 'Attachments',
  keyPrefix: '00P',
  fields: [
    {
      name: 'ParentId',
      label: 'Parent ID',
      type: 'reference',
      to: ATTACHMENT_LOCATIONS,
      toCustom: 'all',
      relationship: 'Parent',
      children: 'Attachments',
      onDelete: 'cascade',
      required: true,
      updateable: false,
    },
    { name: 'Name', label: 'File Name', type: 'string', length: 255, required: true, nameField: true },
    { name: 'IsPrivate', label: 'Private', type: 'boolean' },
    { name: 'ContentType', label: 'Content Type', type: 'string', length: 120 },
    { name: 'BodyLength', label: 'Body Length', type: 'int', ...notWritable },
    { name: 'Body', label: 'Body', type: 'base64', required: true },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 500 },
  ],
}

const completeLength: Complete = (values, object) => {
  const bytes = values.get(object.field('Body')!)
  if (bytes !== undefined) values.set(object.field('BodyLength')!, isBytes(bytes) ? bytes.length : 0)
}

export const ATTACHMENT_BEHAVIOUR: ObjectBehaviour = {
  completeInsert: completeLength,
  completeUpdate: completeLength,
  mediaTypeField: 'ContentType',
}
