import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { serverTooBusy } from '../../base/server-too-busy.ts'

/** Cost of a hash. After a change, old hashes stay valid: each contains its parameters. */
const COST = { memory: 12_288, passes: 3, parallelism: 1 } as const

const KEY_BYTES = 32

/** Each hash takes 12 MiB and a thread; more of them at once would starve everything else. */
const MAX_CONCURRENT = 2
/** Maximum number of waiting calls; further ones are refused, since browsers would not wait that long. */
const MAX_WAITING = 200

let running = 0
const waiting: (() => void)[] = []

/** Limits concurrency, so that many log-ins at once cannot exhaust memory. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) {
    if (waiting.length >= MAX_WAITING) throw serverTooBusy()
    // The ending call passes its turn on, so that a new call cannot take it first.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>

const deriveKey = (password: string, nonce: Buffer, tagLength: number, cost: Cost) =>
  // Keyboards differ in how they compose letters; normalization makes them equal.
  inTurn(() => derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost }))

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** Hashes a password for storage: argon2id with its parameters, in PHC format. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const key = await deriveKey(password, nonce, KEY_BYTES, COST)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`
}

const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Takes as long for a wrong password as for the right one. */
export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const parts = STORED.exec(stored)
  if (parts === null) throw new TypeError('a stored password is not in the form of argon2id')
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const [nonce, key] = parts.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer]
  return timingSafeEqual(await deriveKey(password, nonce, key.length, { memory, passes, parallelism }), key)
}

/** Does the work of a comparison if there is no hash, so that the time reveals nothing. */
export async function pretendToCompare(password: string): Promise<void> {
  await deriveKey(password, Buffer.alloc(16), KEY_BYTES, COST)
}
