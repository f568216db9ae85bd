/** `https://app.example.com`, `http://localhost:3000`, `https://*.example.com`, `chrome-extension://abc`. */
const PATTERN = /^[a-z][a-z0-9+.-]{0,30}:\/\/(\*\.)?([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/

/** Ports that browsers leave out of an origin. */
const USUAL_PORT = /^(https:.*):443$|^(http:.*):80$/

/**
 * An origin as browsers write it, also with a star for all names below a host.
 * @returns undefined when it is none
 */
export function originPattern(text: string): string | undefined {
  const lower = text.trim().toLowerCase().replace(/\/$/, '')
  if (!PATTERN.test(lower)) return undefined
  return lower.replace(USUAL_PORT, (_whole, secure, plain) => secure ?? plain)
}

/** Whether an origin that a browser names is meant by a pattern. */
export function matchesOrigin(pattern: string, origin: string): boolean {
  const star = pattern.indexOf('//*.')
  if (star < 0) return pattern === origin
  const [scheme, domain] = [pattern.slice(0, star + 2), pattern.slice(star + 3)]
  return origin.startsWith(scheme) && origin.endsWith(domain) && origin.length > scheme.length + domain.length
}
