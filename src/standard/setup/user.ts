import { endSessions } from '../../auth/tokens/end-access.ts'
import { findInactive } from '../../auth/users/users.ts'
import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { isEmail } from '../../schema/fields/email.ts'
import { type Complete, getText, type ObjectBehaviour, type Write } from '../behaviour/behaviour.ts'
import { LAST_USE, notWritable } from '../behaviour/not-writable.ts'
import { LANGUAGE_VALUES } from '../values/language-values.ts'
import { LOCALE_VALUES } from '../values/locale-values.ts'
import { EMAIL_ENCODING_VALUES, USER_TYPE_VALUES } from '../values/short-picklists.ts'
import { TIME_ZONE_VALUES } from '../values/time-zone-values.ts'
import { addNicknames, refuseTakenNicknames } from './nicknames.ts'
import { requireAdministrator } from './profile.ts'
import { PORTAL_FIELDS, USER_PREFERENCES } from './user-preferences.ts'

export const USER: ObjectDefinition = {
  name: 'User',
  label: 'User',
  labelPlural: 'Users',
  keyPrefix: '005',
  ownerless: true,
  deletable: false,
  namedLayouts: ['UserAlt'],
  fields: [
    {
      name: 'Username',
      label: 'Username',
      type: 'string',
      length: 80,
      required: true,
      unique: true,
      idLookup: true,
    },
    {
      name: 'LastName',
      label: 'Last Name',
      type: 'string',
      length: 80,
      required: true,
      compound: 'Name',
      extraTypeInfo: 'personname',
    },
    {
      name: 'FirstName',
      label: 'First Name',
      type: 'string',
      length: 40,
      compound: 'Name',
      extraTypeInfo: 'personname',
    },
    { name: 'Name', label: 'Full Name', type: 'personname', length: 121, nameField: true },
    { name: 'CompanyName', label: 'Company Name', type: 'string', length: 80 },
    { name: 'Division', label: 'Division', type: 'string', length: 80 },
    { name: 'Department', label: 'Department', type: 'string', length: 80 },
    { name: 'Title', label: 'Title', type: 'string', length: 80 },
    { name: 'Address', label: 'Address', type: 'address' },
    { name: 'Email', label: 'Email', type: 'email', length: 128, required: true },
    { name: 'EmailPreferencesAutoBcc', label: 'AutoBcc', type: 'boolean' },
    { name: 'EmailPreferencesAutoBccStayInTouch', label: 'AutoBccStayInTouch', type: 'boolean' },
    { name: 'EmailPreferencesStayInTouchReminder', label: 'StayInTouchReminder', type: 'boolean' },
    { name: 'SenderEmail', label: 'Email Sender Address', type: 'email', length: 80 },
    { name: 'SenderName', label: 'Email Sender Name', type: 'string', length: 80 },
    { name: 'Signature', label: 'Email Signature', type: 'longtextarea', length: 1333 },
    { name: 'StayInTouchSubject', label: 'Stay-in-Touch Email Subject', type: 'string', length: 80 },
    {
      name: 'StayInTouchSignature',
      label: 'Stay-in-Touch Email Signature',
      type: 'longtextarea',
      length: 512,
    },
    { name: 'StayInTouchNote', label: 'Stay-in-Touch Email Note', type: 'string', length: 512 },
    { name: 'Phone', label: 'Phone', type: 'phone', length: 40 },
    { name: 'Fax', label: 'Fax', type: 'phone', length: 40 },
    { name: 'MobilePhone', label: 'Mobile', type: 'phone', length: 40 },
    { name: 'Alias', label: 'Alias', type: 'string', length: 8, required: true },
    { name: 'CommunityNickname', label: 'Nickname', type: 'string', length: 40 },
    { name: 'IsActive', label: 'Active', type: 'boolean', default: true },
    {
      name: 'TimeZoneSidKey',
      label: 'Time Zone',
      type: 'picklist',
      length: 40,
      required: true,
      values: TIME_ZONE_VALUES,
      restricted: true,
    },
    {
      name: 'UserRoleId',
      label: 'Role ID',
      type: 'reference',
      to: ['UserRole'],
      relationship: 'UserRole',
      children: 'Users',
      onDelete: 'restrict',
    },
    {
      name: 'LocaleSidKey',
      label: 'Locale',
      type: 'picklist',
      length: 40,
      required: true,
      values: LOCALE_VALUES,
      restricted: true,
    },
    { name: 'ReceivesInfoEmails', label: 'Info Emails', type: 'boolean' },
    { name: 'ReceivesAdminInfoEmails', label: 'Admin Info Emails', type: 'boolean' },
    {
      name: 'EmailEncodingKey',
      label: 'Email Encoding',
      type: 'picklist',
      length: 40,
      required: true,
      values: EMAIL_ENCODING_VALUES,
      restricted: true,
    },
    {
      name: 'ProfileId',
      label: 'Profile ID',
      type: 'reference',
      to: ['Profile'],
      relationship: 'Profile',
      children: 'Users',
      onDelete: 'restrict',
      required: true,
    },
    {
      name: 'UserType',
      label: 'User Type',
      type: 'picklist',
      length: 40,
      values: USER_TYPE_VALUES,
      restricted: true,
      ...notWritable,
    },
    {
      name: 'LanguageLocaleKey',
      label: 'Language',
      type: 'picklist',
      length: 40,
      required: true,
      values: LANGUAGE_VALUES,
      restricted: true,
    },
    { name: 'EmployeeNumber', label: 'Employee Number', type: 'string', length: 20 },
    {
      name: 'DelegatedApproverId',
      label: 'Delegated Approver ID',
      type: 'reference',
      to: ['Group', 'User'],
      relationship: 'DelegatedApprover',
      children: 'DelegatedUsers',
    },
    {
      name: 'ManagerId',
      label: 'Manager ID',
      type: 'reference',
      to: ['User'],
      relationship: 'Manager',
      children: 'ManagedUsers',
    },
    { name: 'LastLoginDate', label: 'Last Login', type: 'datetime', ...notWritable },
    {
      name: 'LastPasswordChangeDate',
      label: 'Last Password Change or Reset',
      type: 'datetime',
      ...notWritable,
    },
    { name: 'UserPermissionsMarketingUser', label: 'Marketing User', type: 'boolean' },
    { name: 'UserPermissionsOfflineUser', label: 'Offline User', type: 'boolean' },
    { name: 'UserPermissionsKnowledgeUser', label: 'Knowledge User', type: 'boolean' },
    { name: 'UserPermissionsInteractionUser', label: 'Flow User', type: 'boolean' },
    { name: 'UserPermissionsSupportUser', label: 'Service Cloud User', type: 'boolean' },
    { name: 'ForecastEnabled', label: 'Allow Forecasting', type: 'boolean' },
    { name: 'Extension', label: 'Extension', type: 'phone', length: 40 },
    {
      name: 'FederationIdentifier',
      label: 'SAML Federation ID',
      type: 'string',
      length: 512,
      unique: true,
    },
    { name: 'AboutMe', label: 'About Me', type: 'longtextarea', length: 1000 },
    { name: 'FullPhotoUrl', label: 'Url for full-sized Photo', type: 'url', length: 1024, ...notWritable },
    { name: 'SmallPhotoUrl', label: 'Photo', type: 'url', length: 1024, ...notWritable },
    {
      name: 'MediumPhotoUrl',
      label: 'Url for medium profile photo',
      type: 'url',
      length: 1024,
      ...notWritable,
    },
    ...LAST_USE,
    ...PORTAL_FIELDS,
    ...USER_PREFERENCES,
    { name: 'IsProfilePhotoActive', label: 'Has Profile Photo', type: 'boolean', ...notWritable },
  ],
}

/** Ends the sessions of deactivated users. Their refresh tokens work again once the user is active. */
async function endSessionsOfInactive({ db, org }: Write, ids: readonly string[]): Promise<void> {
  const inactive = await findInactive(db, org, ids)
  if (inactive.size > 0) await endSessions(db, org, [...inactive])
}

const duplicateUsername = () =>
  new ApiError(
    'DUPLICATE_USERNAME',
    "Duplicate Username.<br>The username already exists in this or another Svc organization. Usernames must be unique across all Svc organizations. To resolve, use a different username (it doesn't need to match the user's email address).",
    { fields: ['Username'] },
  )

/** Refuses usernames that do not have the form of an e-mail address. */
const checkUsername: Complete = (values, object) => {
  const username = getText(object, values, 'Username')
  if (username === undefined || isEmail(username)) return
  throw new ApiError('INVALID_EMAIL_ADDRESS', `Username: invalid email address: ${username}`, {
    fields: ['Username'],
  })
}

/** (docs/reference/api/standard-objects.md#user) */
export const USER_BEHAVIOUR: ObjectBehaviour = {
  /** Clients can create standard users only. */
  completeInsert(values, object, schema) {
    values.set(object.field('UserType')!, 'Standard')
    checkUsername(values, object, schema)
  },
  completeUpdate: checkUsername,
  refuseInsert: refuseTakenNicknames,
  refuseChange: refuseTakenNicknames,
  beforeInsert: addNicknames,
  duplicates: { Username: duplicateUsername },
  async afterChange(write, ids) {
    await requireAdministrator(write)
    await endSessionsOfInactive(write, ids)
  },
}
