import { type ObjectRights, withImpliedRights } from '../../access/rights.ts'
import { SYSTEM_PERMISSION_NAMES, type SystemPermission } from '../../access/system-permission.ts'
import {
  OBJECT_PERMISSIONS_OF,
  OBJECT_RIGHT_NAMES,
  type PermissionKind,
} from '../formats/permission-rights.ts'

export type FieldRight = 'read' | 'edit'

/** In the order of `OBJECT_RIGHT_NAMES`. */
export type ObjectRightList = readonly (keyof ObjectRights)[]

/** Grants of a permission set or a profile, with implied rights. */
export interface Granted {
  readonly kind: PermissionKind
  readonly name: string
  /** Of a permission set. */
  readonly label?: string
  readonly description: string | undefined
  readonly system: ReadonlySet<SystemPermission>
  /** Custom permissions. */
  readonly custom: ReadonlyMap<string, 'granted'>
  /** By the schema's spelling of the object; none without any right. */
  readonly objects: ReadonlyMap<string, ObjectRightList>
  /** By `Object.Field`. */
  readonly fields: ReadonlyMap<string, FieldRight>
}

/** Equal for permission sets, or profiles, whose names differ in case only. */
export const keyOf = ({ kind, name }: Pick<Granted, 'kind' | 'name'>): string =>
  `${kind} ${name.toLowerCase()}`

/** A permission set or profile of an org, with the records of its grants. */
export interface Holder extends Granted {
  readonly id: string
  /** The permission set that the grants hang on. That of a profile may have been deleted. */
  readonly setId: string | undefined
  /** The records about an object or a field, usually one. */
  readonly objectIds: ReadonlyMap<string, readonly string[]>
  readonly fieldIds: ReadonlyMap<string, readonly string[]>
  readonly customIds: ReadonlyMap<string, readonly string[]>
}

/** The object whose records they are. */
export const OBJECT_OF = { permissionSets: 'PermissionSet', profiles: 'Profile' } as const

/** Rights on an object with those that they imply. */
export function completeRights(names: Iterable<keyof ObjectRights>): ObjectRightList {
  const given = new Set(names)
  const flags = Object.fromEntries(OBJECT_RIGHT_NAMES.map((name) => [name, given.has(name)]))
  const rights = withImpliedRights(flags as unknown as ObjectRights)
  return OBJECT_RIGHT_NAMES.filter((name) => rights[name])
}

/** The columns of a record that grants these rights. */
export const objectColumns = (rights: ObjectRightList): Record<string, boolean> =>
  Object.fromEntries(
    OBJECT_RIGHT_NAMES.map((name) => [
      `permissions${OBJECT_PERMISSIONS_OF[name].toLowerCase()}`,
      rights.includes(name),
    ]),
  )

export const fieldColumns = (right: FieldRight): Record<string, boolean> => ({
  permissionsread: true,
  permissionsedit: right === 'edit',
})

export const systemColumns = (system: ReadonlySet<SystemPermission>): Record<string, boolean> =>
  Object.fromEntries(
    SYSTEM_PERMISSION_NAMES.map((name) => [`permissions${name.toLowerCase()}`, system.has(name)]),
  )
