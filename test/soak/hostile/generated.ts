import type { HostileRequest } from './hostile-request.ts'

/** Numbers from 0 to 1 that are the same for a seed in every run. (mulberry32) */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Larger requests are sent as they are. */
const MAX_MUTATED = 256 * 1024

/** Texts that parsers look for. */
const PIECES = [
  '\0',
  '\r\n',
  '\r\n\r\n',
  '%00',
  '%ff',
  '%',
  '"',
  '\\',
  '\\u',
  '\ud800',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ',',
  ':',
  "'",
  '@{',
  '..',
  '/',
  '?',
  '&',
  '=',
  '#',
  '*',
  '_',
  ';',
  ' ',
  '\t',
  '-',
  '1e999',
  '9'.repeat(400),
  'null',
  '__proto__',
  'constructor',
  '\u00e9',
  '\ufeff',
  'SELECT ',
  ' OR ',
  'FIND {',
  '...',
  '$',
]

type Random = ReturnType<typeof randomFrom>

const below = (random: Random, limit: number) => Math.floor(random() * limit)

function mutate(bytes: Buffer, random: Random): Buffer {
  const at = below(random, bytes.length + 1)
  const end = Math.min(bytes.length, at + below(random, 200))
  switch (below(random, 5)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    case 1:
      return Buffer.concat([
        bytes.subarray(0, end),
        ...Array.from({ length: below(random, 50) }, () => bytes.subarray(at, end)),
        bytes.subarray(end),
      ])
    case 2: {
      const changed = Buffer.from(bytes)
      if (at < changed.length) changed[at] = below(random, 256)
      return changed
    }
    default: {
      const piece = PIECES[below(random, PIECES.length)]!.repeat(random() < 0.1 ? 1000 : 1)
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(piece), bytes.subarray(end)])
    }
  }
}

const LENGTH = /\r\ncontent-length: \d+/i

/** A length that is right again, most of the time: else all that is wrong with a request would be its end. */
function withLength(bytes: Buffer, random: Random): Buffer {
  const gap = bytes.indexOf('\r\n\r\n')
  const head = gap < 0 ? '' : bytes.subarray(0, gap).toString('latin1')
  if (!LENGTH.test(head) || random() < 0.1) return bytes
  const body = bytes.subarray(gap + 4)
  const fixed = head.replace(LENGTH, `\r\ncontent-length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${fixed}\r\n\r\n`, 'latin1'), body])
}

/** Requests made of others by chance, without end. */
export function* generateRequests(named: readonly HostileRequest[], seed: number): Generator<HostileRequest> {
  const random = randomFrom(seed)
  for (let number = 0; ; number++) {
    const parent = named[below(random, named.length)]!
    const bytes = parent.bytes()
    if (Symbol.asyncIterator in bytes) continue
    let mutated: Buffer = Buffer.concat([...bytes].map((piece) => Buffer.from(piece)))
    const isSmall = mutated.length <= MAX_MUTATED
    if (!isSmall && random() < 0.8) continue
    if (isSmall) {
      for (let times = 1 + below(random, 4); times > 0; times--) mutated = mutate(mutated, random)
      mutated = withLength(mutated, random)
    }
    yield {
      name: `generated ${number} of: ${parent.name}`,
      kind: 'generated',
      listener: parent.listener,
      mayBeIncomplete: true,
      bytes: () => [mutated],
    }
  }
}
