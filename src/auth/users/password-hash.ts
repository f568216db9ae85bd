import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { serverTooBusy } from '../../base/server-too-busy.ts'

/** What a hash costs. Whoever raises it leaves the old hashes as they are: each says what it was made with. */
const COST = { memory: 12_288, passes: 3, parallelism: 1 } as const

const KEY_BYTES = 32

/** Each takes 12 MiB and a thread; more at once would take both away from everything else. */
const MAX_AT_ONCE = 2
/** Whoever comes when so many wait already is sent away: the wait would be longer than a browser's patience. */
const MAX_WAITING = 200

let running = 0
const waiting: (() => void)[] = []

/** Waits for its turn, so that many log-ins at once cannot exhaust memory. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw serverTooBusy()
    // Who ends hands the turn on, so nobody who comes later gets in between.
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

const keyOf = (password: string, nonce: Buffer, tagLength: number, cost: Cost) =>
  // Keyboards differ in how they compose a letter; it is the same letter.
  inTurn(() => derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost }))

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** A password as it is stored: argon2id with its parameters, in the usual text form (PHC). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const key = await keyOf(password, nonce, KEY_BYTES, COST)
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
  return timingSafeEqual(await keyOf(password, nonce, key.length, { memory, passes, parallelism }), key)
}

/** Does the work of a comparison where there is nothing to compare with, so that time tells nothing. */
export async function pretendToCompare(password: string): Promise<void> {
  await keyOf(password, Buffer.alloc(16), KEY_BYTES, COST)
}
