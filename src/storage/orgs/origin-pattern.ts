/** `https://app.example.com`, `http://localhost:3000`, `https://*.example.com`, `chrome-extension://abc`. */
const PATTERN = /^[a-z][a-z0-9+.-]{0,30}:\/\/(\*\.)?([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/

/** Default ports, which browsers leave out of an origin. */
const DEFAULT_PORT = /^(https:.*):443$|^(http:.*):80$/

/**
 * Normalizes an origin to the form that browsers send; `*.` may stand for all names below a host.
 * @returns undefined if the text is not an origin
 */
export function originPattern(text: string): string | undefined {
  const lower = text.trim().toLowerCase().replace(/\/$/, '')
  if (!PATTERN.test(lower)) return undefined
  return lower.replace(DEFAULT_PORT, (_whole, secure, plain) => secure ?? plain)
}

/** True if a pattern covers an origin that a browser sent. */
export function matchesOrigin(pattern: string, origin: string): boolean {
  const star = pattern.indexOf('//*.')
  if (star < 0) return pattern === origin
  const [scheme, domain] = [pattern.slice(0, star + 2), pattern.slice(star + 3)]
  return origin.startsWith(scheme) && origin.endsWith(domain) && origin.length > scheme.length + domain.length
}
