import { createHash, randomBytes } from 'node:crypto'
import { canonicalRecordId } from '../../base/record-id.ts'

/** 64 characters that every client takes in a token; a `-` or `=` would break some. (docs/reference/api/tokens.md#response) */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._'

function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += ALPHABET[byte & 63]
  return text
}

/** The org's 15-character id, `!`, and 96 characters that nobody can guess. */
export function makeAccessToken(orgId: string): string {
  return `${orgId.slice(0, 15)}!${randomText(96)}`
}

/** The org that an access token says it is for; undefined: it says none. */
export const orgIdIn = (token: string) =>
  token[15] === '!' ? canonicalRecordId(token.slice(0, 15)) : undefined

/** How every refresh token begins; one that is found in a log is told by it. */
export const REFRESH_PREFIX = '5Aep861'

export const makeRefreshToken = () => `${REFRESH_PREFIX}${randomText(80)}`

export const makeAuthorizationCode = () => `aPrx${randomText(84)}`

/** What a device polls with. */
export const makeDeviceCode = () => randomText(64)

/** What the tokens of one agreement have in common. It opens nothing. */
export const makeFamily = () => randomText(24)

export function makeClientId(): string {
  return `3MVG9${randomText(80)}`
}

/** 64 hexadecimal characters. */
export function makeClientSecret(): string {
  return randomBytes(32).toString('hex')
}

/** What is stored of a token: enough to recognise it, useless to a reader of the database. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
