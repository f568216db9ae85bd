import type { Org } from '../storage/org.ts'
import type { House, Visit } from './visit.ts'

/** A host that is an org's own opens no other one. */
export async function isAtItsHost({ house, request }: Visit, org: Org): Promise<boolean> {
  const hosts = await house.hosts.all()
  if (hosts.size === 0) return true
  const owner = hosts.get(request.hostname.replace(/:\d+$/, '').toLowerCase())
  return owner === undefined || owner === org.id
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
