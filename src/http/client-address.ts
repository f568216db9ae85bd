import { type BlockList, isIP } from 'node:net'
import { addressKey } from './address-key.ts'
import type { Visit } from './visit.ts'

/** Some proxies name the port too: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([0-9A-Fa-f:.]+)\](?::\d+)?$/

function addressIn(text: string): string | undefined {
  const [, v4, v6] = WITH_PORT.exec(text) ?? []
  const address = v4 ?? v6 ?? text
  return isIP(address) === 0 ? undefined : address
}

const MAPPED = /^::ffff:(?=\d+\.)/i

function isTrusted(proxies: BlockList, address: string): boolean {
  const plain = address.replace(MAPPED, '').replace(/%.*/, '')
  return proxies.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Where a request comes from. The header is read from the right, for each proxy adds whom it heard it from: as far as proxies
 * that are trusted go. What stands before that anybody can have written.
 */
function clientAddress(peer: string, header: string, proxies: BlockList): string {
  let address = peer
  for (const hop of header.split(',').reverse()) {
    if (!isTrusted(proxies, address)) return address
    const next = addressIn(hop.trim())
    if (next === undefined) return address
    address = next
  }
  return address
}

/** The address that the attempts of a visit count by. */
export function addressOf({ house, request }: Pick<Visit, 'house' | 'request'>): string {
  const { trustedProxies } = house.config
  const peer = request.ip
  if (trustedProxies === undefined || isIP(peer) === 0) return addressKey(peer)
  const header = request.headers['x-forwarded-for']
  return addressKey(clientAddress(peer, String(header ?? ''), trustedProxies))
}
