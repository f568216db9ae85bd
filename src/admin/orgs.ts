import { createApp } from '../auth/apps/create-app.ts'
import { makeFirstApp } from '../auth/apps/first-app.ts'
import { bearerToken, makeClientId, makeClientSecret } from '../auth/oauth/token-text.ts'
import { ending } from '../auth/tokens/access-locks.ts'
import { issueUnder } from '../auth/tokens/issue-under.ts'
import { revokeOrg } from '../auth/tokens/revoke.ts'
import { hashPassword } from '../auth/users/password-hash.ts'
import { makePassword } from '../auth/users/password-rules.ts'
import { storePassword } from '../auth/users/passwords.ts'
import { findAdministrator, type User } from '../auth/users/users.ts'
import { ApiError } from '../base/api-error.ts'
import { readProductVersion } from '../base/package-root.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Envelope, readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { provisionOrg } from '../orgs/provision-org.ts'
import { copyOrg } from '../orgs/snapshots/copy-org.ts'
import { resetOrg } from '../orgs/snapshots/reset-org.ts'
import { loadUpgradeStates } from '../orgs/upgrades/upgrade-state.ts'
import type { Db } from '../storage/database/db.ts'
import { databaseFault } from '../storage/database/pg-error.ts'
import { findPlaces } from '../storage/orgs/cluster.ts'
import type { Org } from '../storage/orgs/org.ts'
import {
  dropOrg,
  findNamedOrg,
  findOrgByName,
  loadEpoch,
  loadFirstOrg,
  loadOrgs,
} from '../storage/orgs/orgs.ts'
import { RecordIds } from '../storage/orgs/record-ids.ts'
import type { Platform } from './platform.ts'
import type { ServerFacts } from './server-facts.ts'

/** Names the org of the token in a path. */
const CURRENT = 'current'

type InOrg = { readonly org: string }

/** True if the caller belongs to the first org of the server, whose administrators manage all orgs. */
async function isInFirstOrg({ db, org }: Context): Promise<boolean> {
  const first = await loadFirstOrg(db)
  return first?.id === org.id
}

const unknownOrg = () =>
  new ApiError('NOT_FOUND', 'The token is for another org, or there is none of that name')

/**
 * Finds the org in a path by id, by name, or as `current`. A token gives access to its own org; a token of the first
 * org to all.
 * @throws ApiError NOT_FOUND
 */
export async function requireOrg(ctx: Context, named: string): Promise<Org> {
  const { org, db } = ctx
  const id = canonicalRecordId(named)
  if (id === org.id || [CURRENT, org.name.toLowerCase()].includes(named.toLowerCase())) return org
  const found = (await isInFirstOrg(ctx)) ? await findNamedOrg(db, named) : undefined
  if (found === undefined) throw unknownOrg()
  return found
}

/** Checks that the path names the org of the token. */
export async function checkOrg(ctx: Context, named: string): Promise<void> {
  const org = await requireOrg(ctx, named)
  if (org.id !== ctx.org.id) throw unknownOrg()
}

/** @throws ApiError INSUFFICIENT_ACCESS */
export async function requireFirstOrg(ctx: Context): Promise<void> {
  if (await isInFirstOrg(ctx)) return
  throw new ApiError('INSUFFICIENT_ACCESS', 'Only an administrator of the first org manages orgs')
}

const listOrgs: Handler<object> = async (ctx) => {
  const isForAll = await isInFirstOrg(ctx)
  const orgs = isForAll ? await loadOrgs(ctx.db) : [ctx.org]
  const placeOf = isForAll ? await findPlaces(ctx.db) : undefined
  const upgrades = await loadUpgradeStates(
    ctx.db,
    orgs.map(({ id }) => id),
  )
  const body = orgs.map((org) => ({
    id: org.id,
    name: org.name,
    upgrade: upgrades.get(org.id),
    ...placeOf?.(org),
  }))
  return { status: 200, body }
}

const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

function readNewOrg(envelope: Envelope): {
  name: string
  host: string | undefined
  copyOf: string | undefined
} {
  const name = envelope.required('name', envelope.text('name')).trim()
  if (name === '' || name.length > 80 || name.includes('\0') || name.toLowerCase() === CURRENT) {
    throw envelope.refusal('The name of an org has 1 to 80 characters, and is not "current"', 'name')
  }
  const host = envelope.text('host')
  if (host !== undefined && !HOST.test(host)) {
    throw envelope.refusal('host is the name of a host without a port: acme.localhost', 'host')
  }
  return { name, host: host?.toLowerCase(), copyOf: envelope.text('copyOf') }
}

/** Lists, creates, copies, resets and deletes orgs. */
export const orgRoutes = ({
  sessions,
  secrets,
  hosts,
  queue,
  clock,
  definitions,
  wakeUpgrades,
  adminUsername,
  engine,
  faults,
}: Platform): readonly Route[] => {
  let version: string | undefined

  const readOrg: Handler<InOrg> = async (ctx, _call, params) => {
    const org = await requireOrg(ctx, params.org)
    const { id, name } = org
    const epoch = await loadEpoch(ctx.db, org)
    const upgrade = (await loadUpgradeStates(ctx.db, [id])).get(id)
    const own = id === ctx.org.id && { schemaVersion: ctx.schema.version }
    version ??= readProductVersion()
    const server: ServerFacts = { version, engine, allowsFaults: faults !== undefined }
    return { status: 200, body: { id, name, epoch, ...own, upgrade, server } }
  }

  async function makeOrg(
    ctx: Context,
    { name, host }: ReturnType<typeof readNewOrg>,
    source: Org | undefined,
    password: string,
    finish: (tx: Db, org: Org) => Promise<void>,
  ): Promise<Org> {
    if (source !== undefined) {
      return copyOrg(ctx.db, { queue, clock }, source, name, host, secrets, async (tx, org) => {
        await definitions.copy(tx, source, org)
        await finish(tx, org)
      })
    }
    const hash = await hashPassword(password)
    return ctx.db.transaction(async (tx) => {
      const { org, userId } = await provisionOrg(tx, name, { username: adminUsername }, ctx.clock(), host)
      await storePassword(tx, org, userId, { hash, mustChange: false }, ctx.clock)
      await definitions.apply(tx, org)
      await finish(tx, org)
      return org
    })
  }

  const createOrg: Handler<object> = async (ctx, call) => {
    await requireFirstOrg(ctx)
    const wanted = readNewOrg(readEnvelope(call, ['name', 'host', 'copyOf']))
    const taken = new ApiError(
      'DUPLICATE_VALUE',
      `Org "${wanted.name}" already exists. Choose another name or delete it first`,
      {
        fields: ['name'],
      },
    )
    if ((await findOrgByName(ctx.db, wanted.name)) !== undefined) throw taken
    const source = wanted.copyOf === undefined ? undefined : await requireOrg(ctx, wanted.copyOf)
    const password = makePassword()
    const [clientId, clientSecret] = [makeClientId(), makeClientSecret()]
    let administrator: User | undefined
    // In the transaction of the org: nobody else has the secret of an app whose answer was lost.
    const addApp = async (tx: Db, made: Org) => {
      administrator = await findAdministrator(tx, made)
      const app = { clientId, clientSecret, ...makeFirstApp(administrator?.id) }
      const userId = administrator?.id ?? ctx.principal.userId
      await createApp(tx, secrets, made, app, { userId, now: ctx.clock(), ids: new RecordIds(made, tx) })
    }
    const org = await makeOrg(ctx, wanted, source, password, addApp).catch((error) => {
      if (databaseFault(error)?.kind !== 'duplicate') throw error
      throw new ApiError('DUPLICATE_VALUE', `Another org has the host ${wanted.host}`, { fields: ['host'] })
    })
    hosts.forget()
    await definitions.requestFor(ctx.db, org, source)
    wakeUpgrades()
    const { id, name } = org
    // The users of a copy keep their passwords.
    const adminPassword = source === undefined ? password : null
    const user = { adminUsername: administrator?.username ?? null, adminPassword }
    return { status: 201, body: { id, name, host: wanted.host ?? null, clientId, clientSecret, ...user } }
  }

  const deleteOrg: Handler<InOrg> = async (ctx, _call, params) => {
    await requireFirstOrg(ctx)
    const org = await requireOrg(ctx, params.org)
    if (org.id === ctx.org.id)
      throw new ApiError('DELETE_FAILED', 'The first org cannot be deleted: it manages the others')
    await ending(ctx.db, org, 'all', async (tx) => {
      await revokeOrg(tx, org)
      await dropOrg(tx, org)
    })
    sessions.forget(org)
    hosts.forget()
    return noContent
  }

  /**
   * Gives a token of the org's administrator, under the caller's. Commands on this machine come with a token that is not stored,
   * and get another one: they also work while the database takes no writes.
   */
  const openOrg: Handler<InOrg> = async (ctx, call, params) => {
    const org = await requireOrg(ctx, params.org)
    const administrator = await findAdministrator(ctx.db, org)
    if (administrator === undefined) {
      throw new ApiError('INVALID_INPUT', `The org ${org.name} has no active administrator`)
    }
    const parentToken = bearerToken(call.headers.authorization)
    const holder = { org, userId: administrator.id }
    const token =
      parentToken === undefined
        ? sessions.issueUnstored(org, administrator.id)
        : await issueUnder(ctx.db, sessions, parentToken, holder)
    return { status: 201, body: { token } }
  }

  const reset: Handler<InOrg> = async (ctx, _call, params) => {
    await resetOrg(ctx.db, await requireOrg(ctx, params.org))
    return noContent
  }

  return [
    route('GET', '/orgs', 'setup', listOrgs),
    route('POST', '/orgs', 'setup', createOrg),
    route('GET', '/orgs/:org', 'setup', readOrg),
    route('DELETE', '/orgs/:org', 'setup', deleteOrg),
    route('POST', '/orgs/:org/token', 'setup', openOrg),
    route('POST', '/orgs/:org/reset', 'setup', reset),
  ]
}
