/** Where a user goes after the log-in by default. */
export const HOME = '/login'

/** Where the console is, below the address of the server. */
export const CONSOLE_PATH = '/console/'

/** Maximum length of a return path. */
const MAX_LENGTH = 32_768

/** A host that cannot exist, as the base of relative URLs. */
const BASE = 'http://nowhere.invalid'

/**
 * Checks a path of this server to go to next; undefined if the text is not one. Browsers treat `//host`, `/\host`, and
 * both with tabs in between, as the URL of another server, so the result is what a browser would make of the text.
 */
export function localPath(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > MAX_LENGTH) return undefined
  if (!text.startsWith('/') || /[\0-\x20\x7f\\]/.test(text) || !URL.canParse(text, BASE)) return undefined
  const { origin, pathname, search } = new URL(text, BASE)
  // `/.//host` has been normalized to `//host` here.
  if (origin !== BASE || pathname.startsWith('//')) return undefined
  return pathname + search
}
