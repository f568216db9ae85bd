/** Who is logged in. */
export const SESSION_COOKIE = 'objectry_sid'

/** Which browser a log-in form was given to. */
export const LOGIN_COOKIE = 'objectry_login'

/** Browsers accept a cookie with such a name only over TLS and from the host itself, so no neighbouring host can replace it. */
const HOST_PREFIX = '__Host-'

const MAX_VALUE_LENGTH = 200

const getWireName = (name: string, secure: boolean) => (secure ? HOST_PREFIX + name : name)

/**
 * The cookies that a browser sent, by their names here. Of two with one name the first counts.
 * @param secure whether they were set over TLS, and so with another name
 */
export function parseCookies(header: string | undefined, secure: boolean): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const [sent, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    if (secure !== sent.startsWith(HOST_PREFIX)) continue
    const name = secure ? sent.slice(HOST_PREFIX.length) : sent
    if (
      name !== '' &&
      !cookies.has(name) &&
      /^[A-Za-z0-9_-]+$/.test(value) &&
      value.length <= MAX_VALUE_LENGTH
    ) {
      cookies.set(name, value)
    }
  }
  return cookies
}

interface CookieLife {
  readonly secure: boolean
  /** Seconds; undefined: until the browser is closed, 0: it goes now. */
  readonly maxAge?: number
}

/** No script reads it, and no other site's form or frame sends it. */
export function setCookie(name: string, value: string, { secure, maxAge }: CookieLife): string {
  const parts = [`${getWireName(name, secure)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (secure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  return parts.join('; ')
}
