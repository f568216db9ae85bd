import { isLoopbackHost } from '../base/loopback.ts'
import type { Config } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'

const nameOf = (name: keyof typeof SETTINGS) => SETTINGS[name].variable

/** A warning about unencrypted connections, if other machines can reach the server. */
function findTransportWarning({ host, publicUrl }: Config): string | undefined {
  if (publicUrl === undefined) {
    return isLoopbackHost(host)
      ? undefined
      : `${nameOf('host')}=${host} is reached by other machines and ${nameOf('publicUrl')} is not set: addresses in answers follow the Host header, and it is not known that TLS stands in front. Set it to the https address that clients use.`
  }
  const { protocol, host: named } = new URL(publicUrl)
  if (protocol === 'https:' || isLoopbackHost(named)) return undefined
  return `${nameOf('publicUrl')}=${publicUrl} has no TLS: tokens and passwords travel in the clear. Put a proxy with TLS in front and set it to https://${named}.`
}

/** Warnings about settings that are unsafe for a server that other machines can reach. */
export function unsafeSettings(config: Config): string[] {
  const { host, publicUrl, allowFaults, allowPasswordFlow, allowSoapLogin, consoleOrigin } = config
  const isPublic =
    !isLoopbackHost(host) || (publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).host))
  if (!isPublic) return []
  const transportWarning = findTransportWarning(config)
  return [
    ...(transportWarning === undefined ? [] : [transportWarning]),
    ...(allowFaults === 'false'
      ? []
      : [
          `${nameOf('allowFaults')}=${allowFaults} on a server that other machines reach: administrators may make calls fail and move clocks. It is for tests.`,
        ]),
    ...(consoleOrigin === undefined
      ? []
      : [
          `${nameOf('consoleOrigin')}=${consoleOrigin} on a server that other machines reach: whatever runs there gets the tokens of users of the console. It is for developing the console.`,
        ]),
    ...(allowPasswordFlow
      ? [
          `${nameOf('allowPasswordFlow')}=true on a server that other machines reach: apps are handed the passwords of their users. Let them use codes instead.`,
        ]
      : []),
    ...(allowSoapLogin
      ? [
          `${nameOf('allowSoapLogin')}=true on a server that other machines reach: clients keep the passwords of users and log in with them. Let them use tokens of OAuth instead.`,
        ]
      : []),
  ]
}
