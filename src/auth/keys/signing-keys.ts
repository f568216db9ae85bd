import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { type Clock, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import { signingKeySql } from './keys.sql.ts'
import type { SecretBox } from './secret-box.ts'

/** The only algorithm with which this server signs. (docs/reference/api/tokens.md#id-token) */
export const SIGNING_ALGORITHM = 'RS256'

const KEY_BITS = 2048

export interface SigningKey {
  readonly keyId: string
  readonly privateKey: KeyObject
}

const generate = promisify(generateKeyPair)

interface KeyRow {
  readonly keyId: string
  /** PEM, sealed. */
  readonly privateKey: string
}

async function makeKey(db: Db, secrets: SecretBox, clock: Clock): Promise<void> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: KEY_BITS })
  const keyId = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
    .slice(0, 16)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  await db.query(signingKeySql.insert(keyId, secrets.seal(pem), secondsNow(clock)))
}

/** All keys; creates the first one. If two processes create one each, both are used for verification. */
async function loadKeys(db: Db, secrets: SecretBox, clock: Clock): Promise<SigningKey[]> {
  let rows = await db.query<KeyRow>(signingKeySql.all)
  if (rows.length === 0) {
    await makeKey(db, secrets, clock)
    rows = await db.query<KeyRow>(signingKeySql.all)
  }
  return rows.map(({ keyId, privateKey }) => ({
    keyId,
    privateKey: createPrivateKey(secrets.open(privateKey)),
  }))
}

/** The key that this server signs with. */
export async function loadSigningKey(db: Db, secrets: SecretBox, clock: Clock): Promise<SigningKey> {
  const [first] = await loadKeys(db, secrets, clock)
  return first!
}

/** The public keys, for checking signatures. (docs/reference/api/tokens.md#discovery) */
export async function publicKeys(db: Db, secrets: SecretBox, clock: Clock) {
  const keys = await loadKeys(db, secrets, clock)
  return keys.map(({ keyId, privateKey }) => ({
    ...createPublicKey(privateKey).export({ format: 'jwk' }),
    kid: keyId,
    alg: SIGNING_ALGORITHM,
    use: 'sig',
  }))
}
