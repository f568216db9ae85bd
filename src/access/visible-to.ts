import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import { type ObjectAbility, type Visibility, visibleSchema } from '../schema/snapshot/visible-schema.ts'
import type { Access } from './access.ts'
import type { ObjectRights } from './rights.ts'

const ABILITIES: Readonly<Record<ObjectAbility, keyof ObjectRights>> = {
  createable: 'create',
  updateable: 'edit',
  deletable: 'delete',
}

const makeVisibility = (access: Access): Visibility => ({
  key: access.key,
  seesObject: (object) => access.rightsOn(object).read,
  may: (object, ability) => access.rightsOn(object)[ABILITIES[ability]],
  seesField: (object, field) => access.fieldRights(object, field).read,
  writesField: (object, field) => access.fieldRights(object, field).edit,
})

const ALL = ['ModifyAllData', 'ManageUsers', 'CustomizeApplication'] as const

/** The schema without what the caller may not see, and read-only where the caller may not write. */
export function visibleTo(access: Access, schema: SchemaSnapshot): SchemaSnapshot {
  return ALL.every((permission) => access.has(permission))
    ? schema
    : visibleSchema(schema, makeVisibility(access))
}
