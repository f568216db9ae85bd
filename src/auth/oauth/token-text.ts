import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { canonicalRecordId } from '../../base/record-id.ts'

/** 64 characters that every client accepts in a token; `-` or `=` would break some. (docs/reference/api/tokens.md#response) */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._'

function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += ALPHABET[byte & 63]
  return text
}

/** The org's 15-character id, `!`, and 96 random characters. */
export function makeAccessToken(orgId: string): string {
  return `${orgId.slice(0, 15)}!${randomText(96)}`
}

/** The org id in an access token; undefined if there is none. */
export const orgIdIn = (token: string) =>
  token[15] === '!' ? canonicalRecordId(token.slice(0, 15)) : undefined

/** Prefix of refresh tokens, by which they can be found in logs. */
const REFRESH_PREFIX = '5Aep861'

export const makeRefreshToken = () => `${REFRESH_PREFIX}${randomText(80)}`

export const makeAuthorizationCode = () => `aPrx${randomText(84)}`

/** The code that a device polls with. */
export const makeDeviceCode = () => randomText(64)

/** The id that links all tokens of one approval. It is not a credential. */
export const makeFamily = () => randomText(24)

export function makeClientId(): string {
  return `3MVG9${randomText(80)}`
}

/** 64 hexadecimal characters. */
export function makeClientSecret(): string {
  return randomBytes(32).toString('hex')
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other))

/** The hash that is stored of a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * `Bearer` and `OAuth` are the same, in any case. Everything behind them is the token: one with a blank is wrong, its
 * header is not. (docs/reference/api/tokens.md#refused-tokens)
 */
const AUTHORIZATION = /^(?:Bearer|OAuth)\s+(\S.*)$/i

/** The token of an authorization header; undefined: it has none. */
export const bearerToken = (header: string | undefined) => AUTHORIZATION.exec(header ?? '')?.[1]?.trimEnd()
