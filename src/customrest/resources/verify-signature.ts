import { createHmac, timingSafeEqual } from 'node:crypto'

/** A delivery as its sender signed it. */
interface SignedDelivery {
  /** The bytes of the body as sent. */
  readonly bytes: Buffer
  /** Names in lower case; values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly now: Date
}

/** A signature scheme. */
interface Scheme {
  /** Reads the MACs of a delivery and the signed bytes; undefined when there are none. */
  read(delivery: SignedDelivery): Claim | undefined
  /** Makes the MAC key from a secret. */
  key(secret: string): Buffer
}

interface Claim {
  readonly macs: readonly Buffer[]
  readonly signed: readonly (Buffer | string)[]
}

const MAC_BYTES = 32

/** Maximum difference between the clocks of sender and server. */
const TOLERANCE_SECONDS = 300

const isRecent = (seconds: string, now: Date) =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= TOLERANCE_SECONDS

const single = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

const asText = (secret: string) => Buffer.from(secret, 'utf8')

/** `X-Hub-Signature-256: sha256=<64 hex>` of the body. (docs/reference/api/custom-resources.md#signatures) */
const hub: Scheme = {
  read({ bytes, headers }) {
    const match = /^sha256=([0-9a-fA-F]{64})$/.exec(single(headers['x-hub-signature-256']) ?? '')
    return match === null ? undefined : { macs: [Buffer.from(match[1]!, 'hex')], signed: [bytes] }
  },
  key: asText,
}

/** `Stripe-Signature: t=<seconds>,v1=<64 hex>` of `<seconds>.<body>`; recent ones only. */
const stripe: Scheme = {
  read({ bytes, headers, now }) {
    const parts = (single(headers['stripe-signature']) ?? '').split(',').map((part) => part.trim().split('='))
    const times = parts.filter(([name]) => name === 't')
    const macs = parts
      .filter(
        ([name, mac, ...rest]) => name === 'v1' && rest.length === 0 && /^[0-9a-fA-F]{64}$/.test(mac ?? ''),
      )
      .map(([, mac]) => Buffer.from(mac!, 'hex'))
    const time = times.length === 1 ? times[0]![1] : undefined
    if (time === undefined || macs.length === 0 || macs.length > 8 || !isRecent(time, now)) return undefined
    return { macs, signed: [`${time}.`, bytes] }
  },
  key: asText,
}

/** Standard Webhooks: `webhook-signature: v1,<base64>` of `<id>.<seconds>.<body>`; recent ones only. */
const standard: Scheme = {
  read({ bytes, headers, now }) {
    const id = single(headers['webhook-id'])
    const time = single(headers['webhook-timestamp'])
    const macs = (single(headers['webhook-signature']) ?? '')
      .split(' ')
      .filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))
      .map((part) => Buffer.from(part.slice(3), 'base64'))
    if (id === undefined || time === undefined || macs.length === 0 || macs.length > 8) return undefined
    return isRecent(time, now) ? { macs, signed: [`${id}.${time}.`, bytes] } : undefined
  },
  // These secrets are base64 with a prefix.
  key: (secret) => (secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : asText(secret)),
}

export const SCHEMES = { hub, stripe, standard } as const satisfies Record<string, Scheme>
export type SchemeName = keyof typeof SCHEMES

/**
 * True if a delivery was signed with one of the secrets. Every MAC is compared with every secret's, each comparison
 * in constant time, so that the duration reveals nothing. (docs/reference/api/custom-resources.md#signatures)
 */
export function isSigned(scheme: SchemeName, secrets: readonly string[], delivery: SignedDelivery): boolean {
  const { read, key } = SCHEMES[scheme]
  const claim = read(delivery)
  if (claim === undefined) return false
  let isEqual = false
  for (const secret of secrets) {
    const hmac = createHmac('sha256', key(secret))
    for (const part of claim.signed) hmac.update(part)
    const expected = hmac.digest()
    for (const mac of claim.macs) {
      if (mac.length === MAC_BYTES && timingSafeEqual(mac, expected)) isEqual = true
    }
  }
  return isEqual
}
