import type { Field } from '../schema/fields/field.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import { type FieldRights, type ObjectRights, Rights } from './rights.ts'
import type { SystemPermission } from './system-permission.ts'

/** Whose records are a user's own, or shared with him. */
export interface Memberships {
  /** The user, and the groups and queues that the user is in. */
  readonly memberships: readonly string[]
  /** The same, and the users below in the hierarchy: what they own is the user's too. */
  readonly owners: readonly string[]
  /** Roles below the user's, where their users are too many to be listed. */
  readonly ownersByRole: readonly string[]
  /** Roles below the user's in the hierarchy. */
  readonly rolesBelow: readonly string[]
  /** Objects of which the user owns few records, and few are shared with him: a hint that changes no answer. */
  readonly fewOf: ReadonlySet<string>
}

/** What a user may do: one frozen value, made anew when a grant changes. */
export class Access implements Memberships {
  readonly memberships: readonly string[]
  readonly owners: readonly string[]
  readonly ownersByRole: readonly string[]
  readonly rolesBelow: readonly string[]
  readonly fewOf: ReadonlySet<string>
  /** When grants of the org changed last. */
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

  /** Names the set of objects and fields that are visible and what may be done with them. */
  get key(): string {
    return this.#rights.key
  }

  has(permission: SystemPermission): boolean {
    return this.#rights.has(permission)
  }

  /** Whether the custom resource may be called. */
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

/** The platform itself: for triggers and what else runs in nobody's name. */
export const SYSTEM_ACCESS = new Access(
  new Rights({
    system: ['ApiEnabled', 'ModifyAllData', 'ManageUsers', 'CustomizeApplication', 'ViewEncryptedData'],
    objects: new Map(),
    fields: new Map(),
    resources: [],
  }),
  { memberships: [], owners: [], ownersByRole: [], rolesBelow: [], fewOf: new Set() },
  new Date(0),
)
