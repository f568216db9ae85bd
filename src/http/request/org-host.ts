import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../../base/loopback.ts'
import type { Config } from '../../config/config.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'

interface Hosts {
  readonly hosts: OrgHosts
}

const getOwner = (hosts: ReadonlyMap<string, string>, { hostname }: FastifyRequest) =>
  hosts.get(hostname.replace(/:\d+$/, '').toLowerCase())

/** The id of the org that alone is reached under the host of a request; undefined: the host is no org's own. */
export async function findHostOwner({ hosts }: Hosts, request: FastifyRequest): Promise<string | undefined> {
  const all = await hosts.all()
  return all.size === 0 ? undefined : getOwner(all, request)
}

/** True if tokens of the org may be used under the host of a request: a host that is another org's own refuses them. */
export async function isAtItsHost(services: Hosts, request: FastifyRequest, org: Org): Promise<boolean> {
  const owner = await findHostOwner(services, request)
  return owner === undefined || owner === org.id
}

/**
 * True if the org is reached under the host of a request: one with a host of its own is reached there alone, and on this
 * machine itself; any other org under all hosts that are no org's.
 */
export async function isReachedHere({ hosts }: Hosts, request: FastifyRequest, org: Org): Promise<boolean> {
  const all = await hosts.all()
  if (all.size === 0) return true
  const owner = getOwner(all, request)
  if (owner !== undefined) return owner === org.id
  return !hosts.hasOwn(org.id) || isLoopbackHost(request.hostname)
}

/** Where clients reach an org: at its own host if it has one, by the protocol and port of this request. */
export async function findOrgOrigin({ hosts }: Hosts, origin: string, org: Org): Promise<string> {
  for (const [host, id] of await hosts.all()) {
    if (id !== org.id) continue
    const url = new URL(origin)
    url.hostname = host
    return url.origin
  }
  return origin
}

/**
 * The same, as far as it does not follow from the host that the request names, which whoever passes a request on chooses
 * freely. On this machine itself the request is believed.
 */
export async function findOwnOrigins(
  { hosts, config }: Hosts & { readonly config: Pick<Config, 'publicUrl'> },
  origin: string,
  org: Org,
): Promise<string[]> {
  const own: string[] = []
  if (config.publicUrl !== undefined || isLoopbackHost(new URL(origin).host)) own.push(origin)
  await hosts.all()
  return hosts.hasOwn(org.id) ? [...own, await findOrgOrigin({ hosts }, origin, org)] : own
}
