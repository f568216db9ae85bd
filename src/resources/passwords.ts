import { bearerToken, hashToken } from '../auth/oauth/token-text.ts'
import { hasParent } from '../auth/tokens/find-session.ts'
import { findPasswordProblem, makePassword } from '../auth/users/password-rules.ts'
import { mustChangePassword, setPassword } from '../auth/users/passwords.ts'
import { findUser, isGuest, type User } from '../auth/users/users.ts'
import { ApiError, notFound } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { findObject, parseId } from './find-object.ts'

/** The user in the path: the caller, or anybody for those who manage users. */
async function findOwner(ctx: Context, id: string): Promise<User> {
  const userId = parseId(findObject(ctx, 'User'), id)
  if (userId !== ctx.principal.userId && !ctx.access.has('ManageUsers')) {
    throw new ApiError('INSUFFICIENT_ACCESS', 'You do not have permission to view this record.')
  }
  const user = await findUser(ctx.db, ctx.org, userId)
  if (user === undefined) throw notFound()
  if (isGuest(user)) throw new ApiError('INVALID_INPUT', 'A guest user has no password and cannot log in')
  return user
}

/** Sets a password. It ends all access of its user but that of the call itself. */
async function change(ctx: Context, call: Call, { id }: User, password: string, mustChange: boolean) {
  const token = bearerToken(call.headers.authorization)
  const hash = token === undefined ? undefined : hashToken(token)
  if (id === ctx.principal.userId && hash !== undefined && (await hasParent(ctx.db, hash))) {
    throw new ApiError(
      'INSUFFICIENT_ACCESS',
      'A session that was opened by an access token cannot change the password of its user. Log in for that.',
    )
  }
  const kept = hash === undefined ? {} : { accessTokens: [hash] }
  await setPassword(ctx.db, ctx.org, id, password, ctx.clock, { mustChange, kept })
  ctx.accessChanged()
}

const read: Handler<{ id: string }> = async (ctx, _call, params) => {
  const { id } = await findOwner(ctx, params.id)
  return { status: 200, body: { isExpired: await mustChangePassword(ctx.db, ctx.org, id) } }
}

const set: Handler<{ id: string }> = async (ctx, call, params) => {
  const user = await findOwner(ctx, params.id)
  const envelope = readEnvelope(call, ['NewPassword'])
  const password = envelope.required('NewPassword', envelope.text('NewPassword'))
  const problem = findPasswordProblem(password, user.username)
  if (problem !== undefined) throw new ApiError('INVALID_NEW_PASSWORD', problem)
  await change(ctx, call, user, password, false)
  return noContent
}

/** The user has to choose another one at the next log-in. */
const reset: Handler<{ id: string }> = async (ctx, call, params) => {
  const user = await findOwner(ctx, params.id)
  const password = makePassword()
  await change(ctx, call, user, password, true)
  return { status: 200, body: { NewPassword: password } }
}

/** Passwords of users, which are in no field. (docs/reference/api/records.md#passwords) */
export const passwordRoutes = [
  route('GET', '/sobjects/User/:id/password', 'password', read),
  route('POST', '/sobjects/User/:id/password', 'password', set),
  route('DELETE', '/sobjects/User/:id/password', 'password', reset),
]
