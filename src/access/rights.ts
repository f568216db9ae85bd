import { createHash } from 'node:crypto'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { guardOf } from './guards.ts'
import { type SystemPermission, withImplied } from './system-permission.ts'

/** Permissions on the records of an object. */
export interface ObjectRights {
  readonly read: boolean
  readonly create: boolean
  readonly edit: boolean
  readonly delete: boolean
  /** Regardless of owner and sharing. */
  readonly viewAll: boolean
  readonly modifyAll: boolean
  readonly viewAllFields: boolean
  readonly editAllFields: boolean
}

export interface FieldRights {
  readonly read: boolean
  readonly edit: boolean
}

/** Everything that a profile and permission sets grant. Grants only add. */
interface Grants {
  readonly system: readonly SystemPermission[]
  /** By API name in lower case. */
  readonly objects: ReadonlyMap<string, ObjectRights>
  /** By `object.field` in lower case. */
  readonly fields: ReadonlyMap<string, FieldRights>
  /** Names of the custom resources that may be called. */
  readonly resources: readonly string[]
}

const rights = (all: boolean): ObjectRights => ({
  read: all,
  create: all,
  edit: all,
  delete: all,
  viewAll: all,
  modifyAll: all,
  viewAllFields: all,
  editAllFields: all,
})

const NOTHING = rights(false)
const EVERYTHING = rights(true)
const READ_EVERYTHING: ObjectRights = { ...NOTHING, read: true, viewAll: true, viewAllFields: true }

/** Adds implied rights: write implies read, and access to all records implies access to own ones. */
export function withImpliedRights(given: ObjectRights): ObjectRights {
  const remove = given.delete || given.modifyAll
  const edit = given.edit || remove
  const viewAll = given.viewAll || given.modifyAll
  return {
    ...given,
    read: given.read || given.create || edit || viewAll,
    edit,
    delete: remove,
    viewAll,
    viewAllFields: given.viewAllFields || given.editAllFields,
  }
}

const both = (a: ObjectRights, b: ObjectRights): ObjectRights =>
  Object.fromEntries(
    Object.keys(a).map((name) => [name, a[name as keyof ObjectRights] || b[name as keyof ObjectRights]]),
  ) as unknown as ObjectRights

/** Equal for equal grants, so that users with equal grants share cached values. */
function makeKey({ objects, fields }: Grants, system: ReadonlySet<SystemPermission>): string {
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([[...system].sort(), sorted(objects), sorted(fields)])
  return createHash('sha256').update(text).digest('base64url')
}

/** Grants with all implied rights. Frozen, and shared by all users with the same grants. */
export class Rights {
  /** Identifies the set of visible objects and fields and the operations on them. */
  readonly key: string
  readonly #grants: Grants
  readonly #system: ReadonlySet<SystemPermission>

  constructor(grants: Grants) {
    this.#grants = grants
    this.#system = withImplied(grants.system)
    this.key = makeKey(grants, this.#system)
    Object.freeze(this)
  }

  has(permission: SystemPermission): boolean {
    return this.#system.has(permission)
  }

  /** True if the custom resource may be called. */
  opens(resource: string): boolean {
    return this.#grants.resources.includes(resource)
  }

  rightsOn({ definition }: Pick<ObjectType, 'definition'>): ObjectRights {
    const { name, shareOf, historyOf } = definition
    const guard = guardOf(definition)
    if (guard !== undefined) {
      const reads = this.has(guard.read ?? 'ApiEnabled')
      return this.has(guard.write) ? EVERYTHING : reads ? READ_EVERYTHING : NOTHING
    }
    if (historyOf !== undefined) {
      // Its fields are those of the object, or say so by their rows.
      const { read, viewAll } = this.#dataRights(historyOf)
      return { ...NOTHING, read, viewAll, viewAllFields: read }
    }
    if (shareOf === undefined) return this.#dataRights(name)
    // Read access to a record includes its shares; the right to transfer it includes the right to share it.
    const { read, edit, viewAll, modifyAll } = this.#dataRights(shareOf)
    return { ...EVERYTHING, read, create: edit, edit, delete: edit, viewAll, modifyAll }
  }

  fieldRights(object: Pick<ObjectType, 'definition'>, field: Field): FieldRights {
    if (!field.permissionable) return { read: true, edit: true }
    const { viewAllFields, editAllFields } = this.rightsOn(object)
    const given = this.#fieldGrant(object.definition.name, field)
    return { read: viewAllFields || given.read || given.edit, edit: editAllFields || given.edit }
  }

  #fieldGrant(object: string, { name, definition }: Field): FieldRights {
    const granted = (field: string) => this.#grants.fields.get(`${object}.${field}`.toLowerCase())
    const own = granted(name)
    // A grant on a compound field includes all of its parts.
    const whole = definition.compound === undefined ? undefined : granted(definition.compound)
    return { read: own?.read || whole?.read || false, edit: own?.edit || whole?.edit || false }
  }

  #dataRights(object: string): ObjectRights {
    if (this.has('ModifyAllData')) return EVERYTHING
    const given = withImpliedRights(this.#grants.objects.get(object.toLowerCase()) ?? NOTHING)
    return this.has('ViewAllData') ? both(given, READ_EVERYTHING) : given
  }
}
