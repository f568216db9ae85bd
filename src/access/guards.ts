import { isEventObject } from '../schema/definitions/custom-name.ts'
import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import type { SystemPermission } from './system-permission.ts'

/** The system permissions that are required to read and write the records of a setup object. */
interface Guard {
  /** Undefined if every user with API access may read them, but not the guest. */
  readonly read?: SystemPermission
  readonly write: SystemPermission
}

const people: Guard = { write: 'ManageUsers' }
const permissions: Guard = { read: 'ViewSetup', write: 'ManageUsers' }
const application: Guard = { write: 'CustomizeApplication' }
const setup: Guard = { read: 'ViewSetup', write: 'CustomizeApplication' }

/** Objects that object permissions do not apply to. A caller sees all of their records or none. */
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
  ['BusinessHours', application],
  // Who reads them may follow them, as far as the records that they tell of may be seen.
  ['PushTopic', application],
  ['StreamingChannel', application],
  // Writing an app grants the access of any user that the app runs as.
  ['ConnectedApplication', permissions],
  // Bodies of deliveries contain data of third parties.
  ['WebhookDelivery', setup],
  ['BackgroundJob', setup],
  ['AsyncApexJob', setup],
  ['CronTrigger', setup],
  ['CronJobDetail', setup],
  ['LoginHistory', setup],
  // A rule may name fields that its reader may not see.
  ['ValidationRule', setup],
])

/** Views show what every user may know of an org, unless the list above says otherwise. Platform events show nothing. */
export const guardOf = ({ name, view }: Pick<ObjectDefinition, 'name' | 'view'>): Guard | undefined =>
  GUARDS.get(name) ?? (view === undefined || isEventObject(name) ? undefined : application)

/** True if each process keeps something of records of this object: above all, users' access depends on them. */
export const decidesAccess = (object: string): boolean => GUARDS.has(object)
