import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const KEY_BYTES = 32

/** Hashes a secret for storage, with a salt. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(secret, salt, KEY_BYTES)
  return `${salt.toString('base64url')}.${key.toString('base64url')}`
}

/** Takes the same time for every wrong secret. */
export async function secretMatches(secret: string, hash: string): Promise<boolean> {
  const [salt, key] = hash.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer]
  return timingSafeEqual(await derive(secret, salt, KEY_BYTES), key)
}
