import { localPath } from './return-path.ts'

/** Encodings within encodings that are undone to look into an address. */
const MAX_ROUNDS = 5

const CONTROL = /\p{Cc}/u
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

/** True if a browser, or what stands before this server, could take the text for the address of another server. */
function isSuspicious(text: string): boolean {
  const [path = ''] = text.split(/[?#]/, 1)
  return CONTROL.test(text) || text.includes('\\') || path.includes('//') || SCHEME.test(text)
}

/** Undefined where an encoding is not valid: what others make of it is not known. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The path of this server that a client wants a browser to start at; home when it names none. The first `/` may be left out.
 * Undefined: it leads elsewhere, or does so once it is decoded, however often.
 */
export function findStartPath(given: string | undefined, home: string): string | undefined {
  if (given === undefined || given === '') return home
  let text = given
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (isSuspicious(text)) return undefined
    const decoded = decode(text)
    if (decoded === text) return localPath(given.startsWith('/') ? given : `/${given}`)
    if (decoded === undefined) return undefined
    text = decoded
  }
  return undefined
}
