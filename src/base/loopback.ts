import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** True if an address belongs to this machine and cannot be reached from another one. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** True if a host in a URL, with or without a port, can only be this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  if (isLoopbackAddress(host)) return true
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}
