import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { LAST_USE } from './last-use.ts'
import { notWritable } from './not-writable.ts'
import { SYSTEM_PERMISSIONS } from './system-permissions.ts'
import { USER_TYPE_VALUES } from './values/user-type-values.ts'

export const PROFILE: ObjectDefinition = {
  name: 'Profile',
  label: 'Profile',
  labelPlural: 'Profiles',
  keyPrefix: '00e',
  ownerless: true,
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 255, required: true, nameField: true },
    {
      name: 'UserType',
      label: 'User Type',
      type: 'picklist',
      length: 40,
      values: USER_TYPE_VALUES,
      restricted: true,
      ...notWritable,
    },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
    ...SYSTEM_PERMISSIONS,
    ...LAST_USE,
  ],
}
