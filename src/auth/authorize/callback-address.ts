/** Percent-encodes characters that a header must not contain. */
const forHeader = (address: string) =>
  address.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))

/** Adds parameters to a redirect URI, keeping its query and fragment. */
export function callbackWith(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const [address, fragment] = redirectUri.split(/(?=#)/, 2) as [string, string?]
  const pairs = Object.entries(parameters)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return forHeader(`${address}${address.includes('?') ? '&' : '?'}${pairs.join('&')}${fragment ?? ''}`)
}

/**
 * The redirect URI as a source in a content security policy: browsers check redirects after a form against it. Only the
 * scheme where a policy cannot express more: for schemes of apps, and for IPv6 hosts.
 */
export function makeFormSource(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  const isNamed = /^https?:$/.test(protocol) && /^[a-z0-9.-]+(:\d+)?$/.test(host)
  return isNamed ? `${protocol}//${host}` : protocol
}

/** The host of a redirect URI, as shown to users. */
export function describeDestination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : `an app on this device (${protocol})`
}
