import type { SystemPermission } from './system-permission.ts'

/** What it takes to read or write the records of an object that says how the org itself works. */
interface Guard {
  /** Undefined: everybody reads them who may use the API, so not the guest. */
  readonly read?: SystemPermission
  readonly write: SystemPermission
}

const people: Guard = { write: 'ManageUsers' }
const permissions: Guard = { read: 'ViewSetup', write: 'ManageUsers' }
const application: Guard = { write: 'CustomizeApplication' }
const log: Guard = { read: 'ViewSetup', write: 'CustomizeApplication' }

/** Objects that no object permission opens. Every record of theirs is seen by whoever sees one. */
const GUARDS: ReadonlyMap<string, Guard> = new Map([
  ['User', people],
  ['UserRole', people],
  ['Group', people],
  ['GroupMember', people],
  ['Profile', people],
  ['PermissionSet', permissions],
  ['PermissionSetAssignment', permissions],
  ['ObjectPermissions', permissions],
  ['FieldPermissions', permissions],
  ['SetupEntityAccess', permissions],
  ['Organization', application],
  ['RecordType', application],
  ['ListView', application],
  // An app may work as any user that its record names.
  ['ConnectedApplication', permissions],
  // Bodies of deliveries are what third parties said.
  ['WebhookDelivery', log],
  ['BackgroundJob', log],
])

export const guardOf = (object: string): Guard | undefined => GUARDS.get(object)

/** Whether what somebody may do depends on records of this object. */
export const decidesAccess = (object: string): boolean => GUARDS.has(object)
