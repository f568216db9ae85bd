import { serverTooBusy } from '../../base/api-error.ts'

/** Cost of a hash by argon2id, the memory in KiB. After a change, old hashes stay valid: each contains its parameters. */
const COST = { memoryCost: 12_288, timeCost: 3, parallelism: 1 } as const

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

/** Keyboards differ in how they compose letters; normalization makes them equal. */
const normalized = (password: string) => password.normalize('NFKC')

/** Loaded only by those that compare passwords: most starts do not. */
const load = () => import('@node-rs/argon2')

/** Hashes a password for storage: argon2id with its parameters, in PHC format. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await load()
  return inTurn(() => hash(normalized(password), COST))
}

/** Takes as long for a wrong password as for the right one: `verify` compares in constant time. */
export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const { verify } = await load()
  return inTurn(() => verify(stored, normalized(password)))
}

/** Does the work of a comparison if there is no hash, so that the time reveals nothing. */
export async function pretendToCompare(password: string): Promise<void> {
  const { hash } = await load()
  await inTurn(() => hash(normalized(password), COST))
}
