import { type BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

/** Returns the key under which the attempts of an address are counted: an IPv6 client usually has all addresses with the same first 64 bits. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::') as [string, string?]
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return groups.slice(0, 4).join(':')
}

/** Some proxies name the port too: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([0-9A-Fa-f:.]+)\](?::\d+)?$/

function parseAddress(text: string): string | undefined {
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
 * Where a request comes from. Each proxy appends the address that it received the request from, so the header is read from the
 * right, as far as the trusted proxies go. Anybody can have written what precedes that.
 */
function findOrigin(peer: string, header: string, proxies: BlockList): string {
  let address = peer
  for (const hop of header.split(',').reverse()) {
    if (!isTrusted(proxies, address)) return address
    const next = parseAddress(hop.trim())
    if (next === undefined) return address
    address = next
  }
  return address
}

/** The address that the attempts of a request count by, as `addressKey` has it. */
export function findClientAddress(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  request: FastifyRequest,
): string {
  const peer = request.ip
  if (trustedProxies === undefined || isIP(peer) === 0) return addressKey(peer)
  const header = request.headers['x-forwarded-for']
  return addressKey(findOrigin(peer, String(header ?? ''), trustedProxies))
}
