import type { Caller } from '../../access/callers.ts'
import { ApiError } from '../../base/api-error.ts'

/**
 * @param caller undefined: the user is inactive, or gone
 * @throws ApiError INSUFFICIENT_ACCESS
 */
export function checkMayDeploy(caller: Pick<Caller, 'access'> | undefined): void {
  // Archives grant permissions: who deploys is an administrator, as who sets up the org.
  if (caller?.access.has('CustomizeApplication') && caller.access.has('ManageUsers')) return
  throw new ApiError(
    'INSUFFICIENT_ACCESS',
    'insufficient access rights on cross-reference id: deploying needs the permissions CustomizeApplication and ManageUsers',
  )
}
