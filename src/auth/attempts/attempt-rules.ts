import { createHash } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { scopeOfUser } from './attempts.sql.ts'
import type { AttemptRule } from './attempts.ts'

/** How many attempts the settings allow. */
export type AttemptLimits = Pick<
  Config,
  'tokenErrors' | 'deviceStarts' | 'logInErrors' | 'passwordErrors' | 'codeErrors'
>

const MINUTE = 60
const LOCK_SECONDS = 15 * MINUTE
const CODE_SECONDS = 10 * MINUTE
const HOUR = 60 * MINUTE

/** So many times more errors may all clients at one address make. */
const CLIENTS_AT_ADDRESS = 5
/** So many times more wrong passwords of a user may come from addresses that the user is not known at. */
const UNKNOWN_ADDRESSES = 10

/** A client id is whatever the request says, of any length. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Refused requests of a client at an address, and of all clients there. */
export function tokenErrorRules(
  { tokenErrors }: AttemptLimits,
  address: string,
  clientId: string | undefined,
): AttemptRule[] {
  const all = { scope: 'token', address, max: tokenErrors * CLIENTS_AT_ADDRESS, seconds: MINUTE }
  if (clientId === undefined) return [all]
  return [{ scope: `client/${digest(clientId)}`, address, max: tokenErrors, seconds: MINUTE }, all]
}

/** Devices that begin at an address, all of them. */
export const deviceStartRule = ({ deviceStarts }: AttemptLimits, address: string): AttemptRule => ({
  ...{ scope: 'device', address, max: deviceStarts, seconds: MINUTE },
})

/** Wrong passwords from an address, whoever they are for. */
export const logInRule = ({ logInErrors }: AttemptLimits, address: string): AttemptRule => ({
  ...{ scope: 'log-in', address, max: logInErrors, seconds: MINUTE },
})

/**
 * Wrong passwords of a user: in a row from one address, and from all addresses that the user has not logged in from. Whoever
 * guesses elsewhere locks nobody out where they are known.
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
  return [here, { scope, address: '', max: passwordErrors * UNKNOWN_ADDRESSES, seconds: HOUR }]
}

/** Wrong codes of devices that a user types, wherever. */
export const codeRule = ({ codeErrors }: AttemptLimits, { id: orgId }: Org, userId: string): AttemptRule => ({
  ...{ scope: `code/${orgId}/${userId}`, address: '', max: codeErrors, seconds: CODE_SECONDS },
})
