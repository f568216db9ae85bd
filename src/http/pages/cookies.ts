/** Who is logged in. */
export const SESSION_COOKIE = 'objectry_sid'

/** Which browser a log-in form was given to. */
export const LOGIN_COOKIE = 'objectry_login'

const LONGEST = 200

/** The cookies that a browser sent. Of two with one name the first counts. */
export function cookiesOf(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    if (name !== '' && !cookies.has(name) && /^[A-Za-z0-9_-]+$/.test(value) && value.length <= LONGEST) {
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
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (secure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  return parts.join('; ')
}
