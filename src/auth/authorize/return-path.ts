/** Where a user goes after the log-in when nothing else was asked for. */
export const HOME = '/login'

/** Longest address that is remembered. */
const MAX_LENGTH = 32_768

/** A host that no address can name by itself. */
const NOWHERE = 'http://nowhere.invalid'

/**
 * A path of this server to go to next, or `undefined` when the text is not one. Browsers read `//host`, `/\host`, and
 * both with tabs in between, as the address of another server, so what is given back is what a browser would make of it.
 */
export function localPath(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > MAX_LENGTH) return undefined
  if (!text.startsWith('/') || /[\0-\x20\x7f\\]/.test(text) || !URL.canParse(text, NOWHERE)) return undefined
  const { origin, pathname, search } = new URL(text, NOWHERE)
  // `/.//host` has become `//host` by now.
  if (origin !== NOWHERE || pathname.startsWith('//')) return undefined
  return pathname + search
}
