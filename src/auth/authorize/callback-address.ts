/** Characters that a header may not hold, encoded as an address has them. */
const forHeader = (address: string) =>
  address.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))

/** A callback with what it is told, before a fragment and beside a query that it has already. */
export function callbackWith(
  redirectUri: string,
  reported: Readonly<Record<string, string | undefined>>,
): string {
  const [address, fragment] = redirectUri.split(/(?=#)/, 2) as [string, string?]
  const pairs = Object.entries(reported)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return forHeader(`${address}${address.includes('?') ? '&' : '?'}${pairs.join('&')}${fragment ?? ''}`)
}

/**
 * The callback as a source of a content security policy: browsers hold redirects after a form against it too. A scheme
 * alone where a policy cannot name more: schemes of apps, and hosts that are numbers in brackets.
 */
export function formSourceOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  const isNamed = /^https?:$/.test(protocol) && /^[a-z0-9.-]+(:\d+)?$/.test(host)
  return isNamed ? `${protocol}//${host}` : protocol
}

/** Where a callback leads, in a form for people. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : `an app on this device (${protocol})`
}
