import { z } from 'zod'
import { SYSTEM_PERMISSION_NAMES } from '../../access/system-permission.ts'
import { CUSTOM_PERMISSION_NAME } from '../../standard/setup/setup-entity-access.ts'
import { OBJECT_RIGHT_NAMES } from './permission-rights.ts'

const text = z.string()

const common = {
  description: text.optional(),
  system: z
    .array(z.enum(SYSTEM_PERMISSION_NAMES))
    .optional()
    .meta({ description: 'What is allowed in the whole org.' }),
  customPermissions: z
    .array(text.regex(CUSTOM_PERMISSION_NAME))
    .max(1000)
    .optional()
    .meta({ description: 'What formulas ask for as $Permission.Name.' }),
  objects: z
    .record(text, z.array(z.enum(OBJECT_RIGHT_NAMES)))
    .optional()
    .meta({ description: 'By object what is allowed with its records: Account: [read, edit]' }),
  fields: z
    .record(text, z.enum(['read', 'edit']))
    .optional()
    .meta({ description: 'By field, edit brings read: Account.Industry: edit' }),
}

export const PERMISSION_SET_FILE = z.strictObject({
  label: text.optional().meta({ description: 'What people see; made from the name when absent.' }),
  ...common,
})

export const PROFILE_FILE = z.strictObject(common)

export type PermissionSetFile = z.infer<typeof PERMISSION_SET_FILE>
export type ProfileFile = z.infer<typeof PROFILE_FILE>
