import { createHmac, timingSafeEqual } from 'node:crypto'

/** The form field of the CSRF token. */
export const CSRF_FIELD = 'csrf'

/**
 * The CSRF token of a form: derived from the session cookie, which only this browser has and no page can read. It is not
 * a credential by itself.
 */
export function makeCsrfToken(cookie: string): string {
  return createHmac('sha256', cookie).update('objectry form').digest('base64url')
}

export function csrfMatches(cookie: string, given: string): boolean {
  const [expected, got] = [Buffer.from(makeCsrfToken(cookie)), Buffer.from(given)]
  return expected.length === got.length && timingSafeEqual(expected, got)
}
