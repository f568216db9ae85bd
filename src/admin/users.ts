import { endAccess } from '../auth/tokens/end-access.ts'
import { hashPassword } from '../auth/users/password-hash.ts'
import { checkPasswordRules, makePassword } from '../auth/users/password-rules.ts'
import { loadPasswordStates, type NewPassword, storePassword, unlockUser } from '../auth/users/passwords.ts'
import { findUserId, isGuest } from '../auth/users/users.ts'
import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { type Envelope, readEnvelope, readOptionalEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { createRecord } from '../records/write/insert.ts'
import { namedObject } from '../records/write/named-object.ts'
import { updateRecord } from '../records/write/update.ts'
import { NEW_USER_MEMBERS, newUserFields } from './new-user.ts'
import { checkOrg } from './orgs.ts'
import { setupUserSql } from './users.sql.ts'

type InOrg = { readonly org: string }
export type NamedInOrg = InOrg & { readonly user: string }

interface NamedUser {
  readonly id: string
  readonly username: string
}

interface FoundUser extends NamedUser {
  readonly isActive: boolean
  readonly userType: string | null
}

/**
 * Finds the user in a path by id or username.
 * @throws ApiError NOT_FOUND
 */
export async function findUser({ db, org }: Context, named: string): Promise<FoundUser> {
  const id = canonicalRecordId(named) ?? (await findUserId(db, org, named))
  const [user] = id === undefined ? [] : await db.query<FoundUser>(setupUserSql.find(org, id))
  if (user !== undefined) return user
  throw new ApiError('NOT_FOUND', `There is no user ${named.slice(0, 255).replaceAll('\0', '')} in this org`)
}

interface Chosen {
  readonly password: string
  readonly stored: NewPassword
}

/** The password from the body, or a generated one, which the user must change at the first login. */
async function choosePassword(envelope: Envelope, username: string): Promise<Chosen> {
  const given = envelope.text('password')
  if (given !== undefined) checkPasswordRules(given, username)
  const password = given ?? makePassword()
  const mustChange = envelope.flag('mustChange') ?? given === undefined
  return { password, stored: { hash: await hashPassword(password), mustChange } }
}

interface ListedUser extends NamedUser {
  readonly lastLogin: number | null
}

const list: Handler<InOrg> = async (ctx, _call, params) => {
  await checkOrg(ctx, params.org)
  const users = await ctx.db.query<ListedUser>(setupUserSql.list(ctx.org))
  const states = await loadPasswordStates(ctx.db, ctx.org, ctx.clock)
  const body = users.map(({ lastLogin, ...user }) => ({
    ...user,
    lastLogin: lastLogin === null ? null : new Date(lastLogin * 1000).toISOString(),
    hasPassword: states.has(user.id),
    isLocked: states.get(user.id)?.isLocked ?? false,
    mustChange: states.get(user.id)?.mustChange ?? false,
  }))
  return { status: 200, body }
}

const create: Handler<InOrg> = async (ctx, call, params) => {
  await checkOrg(ctx, params.org)
  const envelope = readEnvelope(call, NEW_USER_MEMBERS)
  const members = await newUserFields(ctx, envelope)
  const username = String(members.Username)
  const { password, stored } = await choosePassword(envelope, username)
  const id = await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    const object = namedObject(ctx, 'User')
    const made = await createRecord(inside, object, { members, locate: call.locate })
    await storePassword(db, ctx.org, made, stored, ctx.clock)
    return made
  })
  return { status: 201, body: { id, username, password, mustChange: stored.mustChange } }
}

const changePassword: Handler<NamedInOrg> = async (ctx, call, params) => {
  await checkOrg(ctx, params.org)
  const user = await findUser(ctx, params.user)
  if (isGuest(user)) throw new ApiError('INVALID_INPUT', 'A guest user has no password and cannot log in')
  const { id, username } = user
  const envelope = readOptionalEnvelope(call, ['password', 'mustChange'])
  const { password, stored } = await choosePassword(envelope, username)
  await storePassword(ctx.db, ctx.org, id, stored, ctx.clock)
  ctx.accessChanged()
  return { status: 200, body: { id, username, password, mustChange: stored.mustChange } }
}

const unlock: Handler<NamedInOrg> = async (ctx, _call, params) => {
  await checkOrg(ctx, params.org)
  const { id } = await findUser(ctx, params.user)
  await unlockUser(ctx.db, ctx.org, id)
  return noContent
}

/** Deactivates or activates a user. Deactivation revokes all sessions and refresh tokens. */
const switchTo =
  (isActive: boolean): Handler<NamedInOrg> =>
  async (ctx, call, params) => {
    await checkOrg(ctx, params.org)
    const { id } = await findUser(ctx, params.user)
    await ctx.db.transaction(async (db) => {
      const input = { members: { IsActive: isActive }, locate: call.locate }
      await updateRecord({ ...ctx, db }, namedObject(ctx, 'User'), id, input)
      if (!isActive) await endAccess(db, ctx.org, [id])
    })
    return noContent
  }

/** Creates, activates and deactivates users, and sets passwords. */
export const userRoutes: readonly Route[] = [
  route('GET', '/orgs/:org/users', 'setup', list),
  route('POST', '/orgs/:org/users', 'setup', create),
  route('POST', '/orgs/:org/users/:user/password', 'setup', changePassword),
  route('POST', '/orgs/:org/users/:user/unlock', 'setup', unlock),
  route('POST', '/orgs/:org/users/:user/activate', 'setup', switchTo(true)),
  route('POST', '/orgs/:org/users/:user/deactivate', 'setup', switchTo(false)),
]
