import { createHash } from 'node:crypto'
import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { guardOf } from './guards.ts'
import { type SystemPermission, withImplied } from './system-permission.ts'

/** What somebody may do with the records of an object. */
export interface ObjectRights {
  readonly read: boolean
  readonly create: boolean
  readonly edit: boolean
  readonly delete: boolean
  /** Whoever's they are. */
  readonly viewAll: boolean
  readonly modifyAll: boolean
  readonly viewAllFields: boolean
  readonly editAllFields: boolean
}

export interface FieldRights {
  readonly read: boolean
  readonly edit: boolean
}

/** Everything that a profile and permission sets grant. Nothing in it takes anything away. */
interface Grants {
  readonly system: readonly SystemPermission[]
  /** By API name in lower case. */
  readonly objects: ReadonlyMap<string, ObjectRights>
  /** By `object.field` in lower case. */
  readonly fields: ReadonlyMap<string, FieldRights>
  /** Custom resources that are open, by name. */
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

/** Writing takes reading, and all records take those that are the user's own. */
function complete(given: ObjectRights): ObjectRights {
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

/** A text that is the same for the same grants, so that users with equal grants share what is made for them. */
function keyOf({ objects, fields }: Grants, system: ReadonlySet<SystemPermission>): string {
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([[...system].sort(), sorted(objects), sorted(fields)])
  return createHash('sha256').update(text).digest('base64url')
}

/** What is granted, with all that follows from it: frozen, and the same value for all users who have the same. */
export class Rights {
  /** Names the set of objects and fields that are visible and what may be done with them. */
  readonly key: string
  readonly #grants: Grants
  readonly #system: ReadonlySet<SystemPermission>

  constructor(grants: Grants) {
    this.#grants = grants
    this.#system = withImplied(grants.system)
    this.key = keyOf(grants, this.#system)
    Object.freeze(this)
  }

  has(permission: SystemPermission): boolean {
    return this.#system.has(permission)
  }

  /** Whether the custom resource may be called. */
  opens(resource: string): boolean {
    return this.#grants.resources.includes(resource)
  }

  rightsOn({ definition }: Pick<ObjectType, 'definition'>): ObjectRights {
    const { name, shareOf } = definition
    const guard = guardOf(name)
    if (guard !== undefined) {
      const reads = this.has(guard.read ?? 'ApiEnabled')
      return this.has(guard.write) ? EVERYTHING : reads ? READ_EVERYTHING : NOTHING
    }
    if (shareOf === undefined) return this.#dataRights(name)
    // Who may see a record may see whom it is shared with; who may give it away may share it.
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
    // A grant on a compound field is one on all of its parts.
    const whole = definition.compound === undefined ? undefined : granted(definition.compound)
    return { read: own?.read || whole?.read || false, edit: own?.edit || whole?.edit || false }
  }

  #dataRights(object: string): ObjectRights {
    if (this.has('ModifyAllData')) return EVERYTHING
    const given = complete(this.#grants.objects.get(object.toLowerCase()) ?? NOTHING)
    return this.has('ViewAllData') ? both(given, READ_EVERYTHING) : given
  }
}
