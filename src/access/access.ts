import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { type FieldRights, type ObjectRights, Rights } from './rights.ts'
import type { SystemPermission } from './system-permission.ts'

/** The users, groups and roles whose records a user can see as owner or by sharing. */
export interface Memberships {
  /** The user, and the groups and queues that the user is in. */
  readonly memberships: readonly string[]
  /** The same, and the users below in the role hierarchy: the user has access to their records. */
  readonly owners: readonly string[]
  /** Roles below the user's role, when their users are too many to be listed. */
  readonly ownersByRole: readonly string[]
  /** Roles below the user's in the hierarchy. */
  readonly rolesBelow: readonly string[]
  /** Objects of which the user can see few records: a hint for query plans that does not change results. */
  readonly fewOf: ReadonlySet<string>
}

/** Rights of a user: a frozen value, rebuilt when a grant changes. */
export class Access implements Memberships {
  readonly memberships: readonly string[]
  readonly owners: readonly string[]
  readonly ownersByRole: readonly string[]
  readonly rolesBelow: readonly string[]
  readonly fewOf: ReadonlySet<string>
  /** Time of the last change of the org's grants. */
  readonly changedAt: Date
  readonly #rights: Rights

  constructor(rights: Rights, memberships: Memberships, changedAt: Date) {
    this.#rights = rights
    this.memberships = memberships.memberships
    this.owners = memberships.owners
    this.ownersByRole = memberships.ownersByRole
    this.rolesBelow = memberships.rolesBelow
    this.fewOf = memberships.fewOf
    this.changedAt = changedAt
    Object.freeze(this)
  }

  /** Identifies the set of visible objects and fields and the operations on them. */
  get key(): string {
    return this.#rights.key
  }

  has(permission: SystemPermission): boolean {
    return this.#rights.has(permission)
  }

  /** True if the custom resource may be called. */
  opens(resource: string): boolean {
    return this.#rights.opens(resource)
  }

  rightsOn(object: Pick<ObjectType, 'definition'>): ObjectRights {
    return this.#rights.rightsOn(object)
  }

  fieldRights(object: Pick<ObjectType, 'definition'>, field: Field): FieldRights {
    return this.#rights.fieldRights(object, field)
  }
}

/** Unrestricted access: for triggers and other code that runs without a user. */
export const SYSTEM_ACCESS = new Access(
  new Rights({
    system: [
      'ApiEnabled',
      'ModifyAllData',
      'ManageUsers',
      'CustomizeApplication',
      'ViewEncryptedData',
      'ViewCallLog',
    ],
    objects: new Map(),
    fields: new Map(),
    resources: [],
  }),
  { memberships: [], owners: [], ownersByRole: [], rolesBelow: [], fewOf: new Set() },
  new Date(0),
)
