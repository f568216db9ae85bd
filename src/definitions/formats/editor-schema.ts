import { z } from 'zod'
import { OBJECT_FILE_IN_FULL, VALUE_SET_FILE } from './object-file.ts'
import { PERMISSION_SET_FILE, PROFILE_FILE } from './permission-file.ts'
import { SETTINGS_FILES } from './settings-file.ts'

/** JSON schemas of the definition files, by the names under which editors find them in a deployment. */
export const EDITOR_SCHEMAS: Readonly<Record<string, () => object>> = {
  'objects.schema.json': () => ({
    title: 'An object of Objectry',
    ...z.toJSONSchema(OBJECT_FILE_IN_FULL),
  }),
  'value-sets.schema.json': () => ({
    title: 'A global value set of Objectry',
    ...z.toJSONSchema(VALUE_SET_FILE),
  }),
  'permission-sets.schema.json': () => ({
    title: 'A permission set of Objectry',
    ...z.toJSONSchema(PERMISSION_SET_FILE),
  }),
  'profiles.schema.json': () => ({
    title: 'A profile of Objectry',
    ...z.toJSONSchema(PROFILE_FILE),
  }),
  'settings.schema.json': () => ({
    title: 'Settings of an org of Objectry',
    ...z.toJSONSchema(SETTINGS_FILES.Company),
  }),
}
