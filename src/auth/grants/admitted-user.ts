import type { Org } from '../../storage/orgs/org.ts'
import { isPreApproved } from '../authorize/approvals.ts'
import type { ConnectedApp } from '../oauth/connected-app.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { findUser, isGuest, type User } from '../users/users.ts'
import type { TokenRequest } from './grant.ts'

/** @throws OAuthError inactive_user */
export function requireActive(user: User | undefined): User {
  if (user?.isActive !== true) throw new OAuthError('inactive_user', 'user is inactive')
  if (isGuest(user)) throw new OAuthError('inactive_user', 'user is a guest')
  return user
}

/** @throws OAuthError invalid_app_access if users need the administrator's approval, and this one does not have it */
export async function requireAdmission(
  { db }: TokenRequest,
  app: ConnectedApp,
  org: Org,
  userId: string,
): Promise<void> {
  if (app.permittedUsers !== 'AdminApproved' || (await isPreApproved(db, org, app, userId))) return
  throw new OAuthError('invalid_app_access', 'user is not admin approved to access this app')
}

/**
 * The user of an earlier approval, if still admitted to the app.
 * @throws OAuthError
 */
export async function admittedUser(
  request: TokenRequest,
  app: ConnectedApp,
  org: Org,
  userId: string,
): Promise<User> {
  const user = requireActive(await findUser(request.db, org, userId))
  await requireAdmission(request, app, org, user.id)
  return user
}
