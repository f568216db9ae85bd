import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { flag } from '../views/view-object.ts'

/** The customer whom a portal user stands for. Nobody is one here, so they have no values. */
export const PORTAL_FIELDS: readonly FieldDefinition[] = [
  {
    name: 'ContactId',
    label: 'Contact ID',
    type: 'reference',
    to: ['Contact'],
    children: 'Users',
    relationship: 'Contact',
    ...notWritable,
  },
  {
    name: 'AccountId',
    label: 'Account ID',
    type: 'reference',
    to: ['Account'],
    children: 'Users',
    relationship: 'Account',
    ...notWritable,
  },
  { name: 'IsPortalEnabled', label: 'Is Portal Enabled', type: 'boolean', ...notWritable },
]

const frequency = (name: string, label: string, standard: string): FieldDefinition => ({
  name,
  label,
  type: 'picklist',
  length: 40,
  values: [
    { value: 'P', label: 'Email on every post' },
    { value: 'D', label: 'Daily' },
    { value: 'W', label: 'Weekly' },
    { value: 'N', label: 'Never' },
  ].map((value) => ({ ...value, ...(value.value === standard && { default: true }) })),
  restricted: true,
})

/** Settings of a user that clients read and write. They are stored without effect here. */
export const USER_PREFERENCES: readonly FieldDefinition[] = [
  frequency('DigestFrequency', 'Chatter Email Highlights Frequency', 'D'),
  frequency('DefaultGroupNotificationFrequency', 'Default Notification Frequency when Joining Groups', 'N'),
  flag('UserPermissionsMobileUser', 'Apex Mobile User'),
  flag('UserPermissionsSFContentUser', 'Content User'),
  flag('UserPermissionsCallCenterAutoLogin', 'Auto-login To Call Center'),
  flag('UserPermissionsAvantgoUser', 'AvantGo User'),
  flag('UserPreferencesLightningExperiencePreferred', 'LightningExperiencePreferred'),
  flag('UserPreferencesShowTitleToExternalUsers', 'ShowTitleToExternalUsers'),
  flag('UserPreferencesActivityRemindersPopup', 'ActivityRemindersPopup'),
  flag('UserPreferencesApexPagesDeveloperMode', 'ApexPagesDeveloperMode'),
]
