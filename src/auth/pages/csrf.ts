import { createHmac, timingSafeEqual } from 'node:crypto'

/** The form field that proves that a form is ours. */
export const CSRF_FIELD = 'csrf'

/**
 * What a form carries: made from the cookie, which only this browser has and no page can read, so nobody else can make
 * it. It opens nothing by itself.
 */
export function makeCsrfToken(cookie: string): string {
  return createHmac('sha256', cookie).update('objectry form').digest('base64url')
}

export function csrfMatches(cookie: string, given: string): boolean {
  const [expected, got] = [Buffer.from(makeCsrfToken(cookie)), Buffer.from(given)]
  return expected.length === got.length && timingSafeEqual(expected, got)
}
