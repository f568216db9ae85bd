import { findBlockedClients } from '../../auth/apps/find-app.ts'
import { registerClient } from '../../auth/apps/register-client.ts'
import { makeClientId } from '../../auth/oauth/token-text.ts'
import { revokeClient } from '../../auth/tokens/revoke.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import {
  type Complete,
  getText,
  integrityError,
  type ObjectBehaviour,
  type Write,
  type WrittenRecord,
} from '../behaviour/behaviour.ts'

/** Every scope that a client may ask for; those that this platform knows nothing about open nothing. (docs/reference/api/tokens.md#scopes) */
export const SCOPES = [
  'api',
  'refresh_token',
  'offline_access',
  'openid',
  'id',
  'profile',
  'email',
  'address',
  'phone',
  'web',
  'full',
  'custom_permissions',
  'chatter_api',
  'content',
  'visualforce',
  'lightning',
  'wave_api',
  'eclair_api',
  'pardot_api',
] as const

/** An application that may ask for tokens. Its secrets are no fields. (docs/reference/api/tokens.md#apps) */
export const CONNECTED_APPLICATION: ObjectDefinition = {
  name: 'ConnectedApplication',
  label: 'Connected App',
  labelPlural: 'Connected Apps',
  keyPrefix: '0H4',
  ownerless: true,
  searchable: false,
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, required: true, nameField: true },
    { name: 'Description', label: 'Description', type: 'string', length: 255 },
    {
      name: 'ConsumerKey',
      label: 'Consumer Key',
      type: 'string',
      length: 255,
      unique: true,
      caseSensitive: true,
      idLookup: true,
      updateable: false,
      help: 'The client id; generated when absent.',
    },
    {
      name: 'CallbackUrls',
      label: 'Callback URLs',
      type: 'longtextarea',
      length: 4000,
      help: 'One per line; a request must name one of them exactly.',
    },
    {
      name: 'Scopes',
      label: 'Scopes',
      type: 'multipicklist',
      length: 4099,
      values: SCOPES,
      restricted: true,
    },
    {
      name: 'PermittedUsers',
      label: 'Permitted Users',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'SelfAuthorize', label: 'All users may self-authorize', default: true },
        { value: 'AdminApproved', label: 'Admin approved users are pre-authorized' },
      ],
      restricted: true,
      required: true,
    },
    { name: 'EnableClientCredentials', label: 'Enable Client Credentials', type: 'boolean' },
    {
      name: 'RunAsUserId',
      label: 'Run As User ID',
      type: 'reference',
      to: ['User'],
      relationship: 'RunAsUser',
      help: 'In whose name client credentials work.',
    },
    { name: 'EnableJwtBearer', label: 'Enable JWT Bearer', type: 'boolean' },
    {
      name: 'Certificates',
      label: 'Certificates',
      type: 'longtextarea',
      length: 32_000,
      help: 'X.509 certificates in PEM, one after the other: whoever has the key of one may sign assertions.',
    },
    { name: 'EnableDeviceFlow', label: 'Enable Device Flow', type: 'boolean' },
    {
      name: 'RequireSecretForWebFlow',
      label: 'Require Secret for Web Server Flow',
      type: 'boolean',
      default: true,
    },
    {
      name: 'RequireSecretForRefresh',
      label: 'Require Secret for Refresh Token Flow',
      type: 'boolean',
      default: true,
    },
    { name: 'RequirePkce', label: 'Require PKCE', type: 'boolean' },
    {
      name: 'RefreshTokenPolicy',
      label: 'Refresh Token Policy',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'UntilRevoked', label: 'Valid until revoked', default: true },
        { value: 'Immediately', label: 'Expires immediately' },
        { value: 'AfterHours', label: 'Expires after a number of hours' },
        { value: 'AfterUnusedHours', label: 'Expires when it was not used for a number of hours' },
      ],
      restricted: true,
      required: true,
    },
    { name: 'RefreshTokenHours', label: 'Refresh Token Hours', type: 'int' },
    { name: 'RotateRefreshTokens', label: 'Rotate Refresh Tokens', type: 'boolean' },
    {
      name: 'SessionMinutes',
      label: 'Session Minutes',
      type: 'int',
      help: 'How long a token lives after its last use; the setting of the server when empty.',
    },
    {
      name: 'DailyCallBudget',
      label: 'Daily Call Budget',
      type: 'int',
      help: "How many calls of the org's allocation it may make in 24 hours; as many as there are when empty.",
    },
    { name: 'IntrospectAll', label: 'Introspect All Tokens', type: 'boolean' },
    { name: 'IsBlocked', label: 'Blocked', type: 'boolean' },
  ],
}

/** Callbacks are compared as text later, so an address that cannot work is refused here. */
const checkCallbacks: Complete = (values, object) => {
  const lines = (getText(object, values, 'CallbackUrls') ?? '').split('\n').map((line) => line.trim())
  for (const line of lines.filter((text) => text !== '')) {
    if (URL.canParse(line) && !line.includes('#') && !/^(javascript|data|vbscript|file):/i.test(line))
      continue
    throw integrityError(`${line.slice(0, 255)} is not a valid redirect address`, 'CallbackUrls')
  }
}

/** Registers new apps as clients of the token endpoint. */
async function registerClients({ db, org, object }: Write, apps: readonly WrittenRecord[]): Promise<void> {
  for (const { values } of apps) await registerClient(db, org, getText(object, values, 'ConsumerKey')!)
}

/** Revokes the tokens of blocked or deleted apps. */
async function revokeBlocked({ db, org }: Write, ids: readonly string[]): Promise<void> {
  for (const clientId of await findBlockedClients(db, org, ids)) await revokeClient(db, org, clientId)
}

export const CONNECTED_APPLICATION_BEHAVIOUR: ObjectBehaviour = {
  completeInsert(values, object, schema) {
    checkCallbacks(values, object, schema)
    if (getText(object, values, 'ConsumerKey') !== undefined) return
    values.set(object.field('ConsumerKey')!, makeClientId())
  },
  completeUpdate: checkCallbacks,
  afterInsert: registerClients,
  afterChange: revokeBlocked,
}
