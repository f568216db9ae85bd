import { credentialsIn, fetchToken, type ServerProcess } from '../../support/server-process.ts'
import { Client } from './client.ts'
import { makeAgent } from './http-call.ts'
import { LOAD_SCHEMA } from './load-schema.ts'

const SETUP_LIMIT_MS = 60_000

type Credentials = NonNullable<ReturnType<typeof credentialsIn>>

/** An org that the load calls. */
interface Tenant {
  readonly credentials: Credentials
  /** @param limitMs after which a call hangs */
  client(limitMs: number): Client
}

export interface Tenants {
  readonly first: Tenant
  readonly second: Tenant
}

const agent = makeAgent()

async function signIn(address: string, credentials: Credentials): Promise<Tenant> {
  const token = await fetchToken(address, credentials)
  return { credentials, client: (limitMs) => new Client(address, token, limitMs, agent) }
}

async function openTenant(address: string, credentials: Credentials): Promise<Tenant> {
  const tenant = await signIn(address, credentials)
  const deployed = await tenant
    .client(SETUP_LIMIT_MS)
    .call('PUT', '/setup/orgs/current/schema', { objects: LOAD_SCHEMA })
  if (!deployed.isOk) throw new Error(`The objects of the load were not deployed: ${deployed.text}`)
  return tenant
}

/** The same orgs by way of another server. */
export async function tenantsAt(address: string, { first, second }: Tenants): Promise<Tenants> {
  return {
    first: await signIn(address, first.credentials),
    second: await signIn(address, second.credentials),
  }
}

/** Makes two orgs with the objects of the load, on a server that has started for the first time. */
export async function makeTenants({ address, greeting }: ServerProcess): Promise<Tenants> {
  const first = await openTenant(address, credentialsIn(greeting)!)
  const made = await first.client(SETUP_LIMIT_MS).call('POST', '/setup/orgs', { name: 'second' })
  if (!made.isOk) throw new Error(`The second org was not made: ${made.text}`)
  return { first, second: await openTenant(address, made.body) }
}
