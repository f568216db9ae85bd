import { SYSTEM_ACCESS } from '../../access/access.ts'
import { loadAccess } from '../../access/load-rights.ts'
import type { Viewer } from '../../access/row-rules.sql.ts'
import { findUser } from '../../auth/users/users.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { findNamedRecords } from '../plan/named-records.ts'
import type { Plan } from '../plan/plan.ts'
import { makeQueryContext, type QueryContext } from './query-context.ts'

/** The user whose access a query asks for; undefined when there is no such active user, who has none. */
async function loadNamedUser(ctx: Context, userId: string): Promise<Viewer | undefined> {
  const { db, org, schema, access, principal } = ctx
  const isSelf = userId === principal.userId
  // Code of a deployment runs with the access of the platform.
  if (isSelf && access !== SYSTEM_ACCESS) return { org, schema, access }
  if (!isSelf && !(access.has('CustomizeApplication') && access.has('ManageUsers'))) {
    const message = 'UserRecordAccess: only an administrator may ask for the access of another user'
    throw new ApiError('INSUFFICIENT_ACCESS', message)
  }
  const user = await findUser(db, org, userId)
  if (user?.isActive !== true) return undefined
  return { org, schema, access: await loadAccess(db, org, schema, user) }
}

/** The user whose access a query asks for: the one that it names, or the caller; undefined if it asks for none. */
function findAskedUser({ principal }: Context, plan: Plan): string | undefined {
  if (plan.sources[0].object.name === 'UserRecordAccess') return findNamedRecords(plan).userId
  const selected = plan.kind === 'records' ? plan.selection.members : []
  const asks = selected.some((member) => 'kind' in member && member.kind === 'access')
  return asks ? principal.userId : undefined
}

/**
 * The context of a query, with the user whose access it asks for if it does.
 * @throws ApiError INSUFFICIENT_ACCESS if the caller may not know that access
 */
export function loadQueryContext(
  ctx: Context,
  plan: Plan,
  deletedToo: boolean,
): QueryContext | Promise<QueryContext> {
  const userId = findAskedUser(ctx, plan)
  if (userId === undefined) return makeQueryContext(ctx, deletedToo)
  return loadNamedUser(ctx, userId).then((namedUser) => makeQueryContext(ctx, deletedToo, namedUser))
}
