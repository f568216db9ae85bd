import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { scopeOfUser } from './attempts.sql.ts'
import type { AttemptRule } from './attempts.ts'

/** The settings for the number of allowed attempts. */
export type AttemptLimits = Pick<
  Config,
  'tokenErrors' | 'deviceStarts' | 'logInErrors' | 'passwordErrors' | 'codeErrors'
>

const MINUTE_SECONDS = 60
const LOCK_SECONDS = 15 * MINUTE_SECONDS
const CODE_SECONDS = 10 * MINUTE_SECONDS
const HOUR_SECONDS = 60 * MINUTE_SECONDS

/** All clients at one address together may make this many times more errors than one client. */
const CLIENTS_PER_ADDRESS = 5
/** Addresses unknown for a user together may send this many times more wrong passwords than one address. */
const UNKNOWN_ADDRESSES = 10

/** The client id comes from the request and may have any length. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Counts rejected token requests of a client at an address, and of all clients there. */
export function tokenErrorRules(
  { tokenErrors }: AttemptLimits,
  address: string,
  clientId: string | undefined,
): AttemptRule[] {
  const all = { scope: 'token', address, max: tokenErrors * CLIENTS_PER_ADDRESS, seconds: MINUTE_SECONDS }
  if (clientId === undefined) return [all]
  return [{ scope: `client/${digest(clientId)}`, address, max: tokenErrors, seconds: MINUTE_SECONDS }, all]
}

/** Counts started device flows of all devices at an address. */
export const deviceStartRule = ({ deviceStarts }: AttemptLimits, address: string): AttemptRule => ({
  ...{ scope: 'device', address, max: deviceStarts, seconds: MINUTE_SECONDS },
})

/** Counts wrong passwords from an address, for any user. */
export const logInRule = ({ logInErrors }: AttemptLimits, address: string): AttemptRule => ({
  ...{ scope: 'log-in', address, max: logInErrors, seconds: MINUTE_SECONDS },
})

/**
 * Counts wrong passwords of a user: consecutive ones from one address, and those from all addresses that the user has not
 * logged in from. So guessing from elsewhere does not lock users out at addresses where they are known.
 */
export function passwordRules(
  { passwordErrors }: AttemptLimits,
  { id: orgId }: Org,
  userId: string,
  { address, isKnown }: { readonly address: string; readonly isKnown: boolean },
): [AttemptRule, ...AttemptRule[]] {
  const scope = scopeOfUser(orgId, userId)
  const here: AttemptRule = { scope, address, max: passwordErrors, seconds: LOCK_SECONDS }
  if (isKnown) return [here]
  return [here, { scope, address: '', max: passwordErrors * UNKNOWN_ADDRESSES, seconds: HOUR_SECONDS }]
}

/** Counts wrong device codes typed by a user, from any address. */
export const codeRule = ({ codeErrors }: AttemptLimits, { id: orgId }: Org, userId: string): AttemptRule => ({
  ...{ scope: `code/${orgId}/${userId}`, address: '', max: codeErrors, seconds: CODE_SECONDS },
})
