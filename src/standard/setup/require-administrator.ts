import { findAdministrator } from '../../auth/users/users.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Write } from '../behaviour/behaviour.ts'

/** Refuses a change that would leave an org without an administrator. */
export async function requireAdministrator({ db, org }: Write): Promise<void> {
  if ((await findAdministrator(db, org)) !== undefined) return
  throw new ApiError(
    'FIELD_INTEGRITY_EXCEPTION',
    'An org needs an active user whose profile may manage users and customize the application',
  )
}
