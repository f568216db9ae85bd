import type { AppSettings } from '../auth/oauth/connected-app.ts'
import { hasUsableKey } from '../auth/tokens/assertions.ts'
import { findUser, findUserByName, type User } from '../auth/users/users.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import { type Envelope, readEnvelope } from '../calls/envelope.ts'
import { SCOPES } from '../standard/setup/connected-application.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'

/** Maximum lengths of the record's fields. */
const MAX_LENGTH = { name: 80, description: 255, callbackUrls: 4000, certificates: 32_000 } as const

const FLAGS = [
  'enableClientCredentials',
  'enableJwtBearer',
  'enableDeviceFlow',
  'requireSecretForWebFlow',
  'requireSecretForRefresh',
  'requirePkce',
  'rotateRefreshTokens',
  'introspectAll',
] as const

const POLICIES = ['UntilRevoked', 'Immediately', 'AfterHours', 'AfterUnusedHours'] as const
const PERMITTED = ['SelfAuthorize', 'AdminApproved'] as const

const MEMBERS = [
  ...['name', 'description', 'callbackUrls', 'scopes', 'permittedUsers', 'runAs', 'certificates', 'public'],
  ...['refreshTokenPolicy', 'refreshTokenHours', 'sessionMinutes', 'dailyCallBudget', ...FLAGS],
]

function readText(envelope: Envelope, name: keyof typeof MAX_LENGTH): string | undefined {
  const text = envelope.text(name)?.trim()
  if (text === undefined || text === '') return undefined
  if (text.length > MAX_LENGTH[name] || text.includes('\0')) {
    throw envelope.refusal(`"${name}" has at most ${MAX_LENGTH[name]} characters`, name)
  }
  return text
}

function readChoice<T extends string>(
  envelope: Envelope,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = envelope.text(name)
  if (text === undefined) return undefined
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw envelope.refusal(`"${name}" is one of ${choices.join(', ')}`, name)
}

function readCount(envelope: Envelope, name: string, max: number): number | undefined {
  const count = envelope.count(name)
  if (count === undefined || (count >= 1 && count <= max)) return count
  throw envelope.refusal(`"${name}" is a number from 1 to ${max}`, name)
}

/** Callback URLs are kept verbatim, because requests must match them exactly. */
function readCallbacks(envelope: Envelope): readonly string[] {
  const callbacks = envelope.texts('callbackUrls') ?? []
  const isWrong = (url: string) => !URL.canParse(url) || /[#\s\0]/.test(url)
  const wrong = callbacks.some(isWrong) || callbacks.join('\n').length > MAX_LENGTH.callbackUrls
  if (!wrong) return callbacks
  throw envelope.refusal('A callback URL is absolute, without a fragment or blanks', 'callbackUrls')
}

function readScopes(envelope: Envelope): readonly string[] {
  const scopes = envelope.texts('scopes') ?? ['api']
  if (scopes.every((scope) => (SCOPES as readonly string[]).includes(scope))) return [...new Set(scopes)]
  throw envelope.refusal(`Scopes are ${SCOPES.join(', ')}`, 'scopes')
}

async function findRunAsUser(db: Db, org: Org, envelope: Envelope): Promise<User | undefined> {
  const named = envelope.text('runAs')
  if (named === undefined) return undefined
  const id = canonicalRecordId(named)
  const user = (id && (await findUser(db, org, id))) || (await findUserByName(db, org, named))
  if (user !== undefined) return user
  throw envelope.refusal('There is no user of that name or id in the org', 'runAs')
}

interface RequestedApp {
  readonly settings: Partial<AppSettings> & { readonly name: string }
  /** A public client without a secret. */
  readonly isPublic: boolean
}

/**
 * Reads a new app from the request body. A run-as user enables client credentials, certificates enable signed
 * assertions (JWT bearer).
 * @throws ApiError
 */
export async function readNewApp(db: Db, org: Org, call: Call): Promise<RequestedApp> {
  const envelope = readEnvelope(call, MEMBERS)
  const name = envelope.required('name', readText(envelope, 'name'))
  const runAs = await findRunAsUser(db, org, envelope)
  const certificates = readText(envelope, 'certificates')
  if (certificates !== undefined && !hasUsableKey(certificates)) {
    throw envelope.refusal(
      'Certificates are X.509 in PEM, with RSA keys of at least 2048 bits',
      'certificates',
    )
  }
  const flags = Object.fromEntries(
    FLAGS.flatMap((flag) => {
      const value = envelope.flag(flag)
      return value === undefined ? [] : [[flag, value]]
    }),
  )
  const isPublic = envelope.flag('public') ?? false
  if (isPublic && runAs !== undefined) {
    throw envelope.refusal('A public app cannot prove who it is, so it has no user to run as', 'runAs')
  }
  const settings = {
    name,
    description: readText(envelope, 'description') ?? null,
    callbackUrls: readCallbacks(envelope),
    scopes: readScopes(envelope),
    permittedUsers: readChoice(envelope, 'permittedUsers', PERMITTED) ?? 'SelfAuthorize',
    runAsUserId: runAs?.id ?? null,
    enableClientCredentials: runAs !== undefined,
    certificates: certificates ?? null,
    enableJwtBearer: certificates !== undefined,
    refreshTokenPolicy: readChoice(envelope, 'refreshTokenPolicy', POLICIES) ?? 'UntilRevoked',
    refreshTokenHours: readCount(envelope, 'refreshTokenHours', 100_000) ?? null,
    sessionMinutes: readCount(envelope, 'sessionMinutes', 1440) ?? null,
    dailyCallBudget: readCount(envelope, 'dailyCallBudget', 1_000_000_000) ?? null,
    ...flags,
  }
  return { settings, isPublic }
}
