import { isLoopbackHost } from '../base/loopback.ts'
import type { Org } from '../storage/org.ts'
import type { House, Visit } from './visit.ts'

/** A host that is an org's own gives no tokens of another one, and tells nobody who he is there. */
export async function isAtItsHost({ house, request }: Visit, org: Org): Promise<boolean> {
  const hosts = await house.hosts.all()
  if (hosts.size === 0) return true
  const owner = hosts.get(request.hostname.replace(/:\d+$/, '').toLowerCase())
  return owner === undefined || owner === org.id
}

/**
 * Whether the org is reached under the host of a request: one with a host of its own is reached there alone, and on this
 * machine itself; any other org under all hosts that are no org's.
 */
export async function isReachedHere({ house, request }: Visit, org: Org): Promise<boolean> {
  const hosts = await house.hosts.all()
  if (hosts.size === 0) return true
  const owner = hosts.get(request.hostname.replace(/:\d+$/, '').toLowerCase())
  if (owner !== undefined) return owner === org.id
  return !house.hosts.hasOwn(org.id) || isLoopbackHost(request.hostname)
}

/** Where clients reach an org: at its own host if it has one, by the protocol and port of this request. */
export async function originOf({ hosts }: House, origin: string, org: Org): Promise<string> {
  for (const [host, id] of await hosts.all()) {
    if (id !== org.id) continue
    const url = new URL(origin)
    url.hostname = host
    return url.origin
  }
  return origin
}

/**
 * The same, as far as it does not follow from what the request says of its host: whoever passes on a request to another
 * server chooses that freely. On this machine itself nobody does.
 */
export async function ownOriginsOf(house: House, origin: string, org: Org): Promise<string[]> {
  const own: string[] = []
  if (house.config.publicUrl !== undefined || isLoopbackHost(new URL(origin).host)) own.push(origin)
  await house.hosts.all()
  return house.hosts.hasOwn(org.id) ? [...own, await originOf(house, origin, org)] : own
}
