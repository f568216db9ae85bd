import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import { type Handler, route } from '../../calls/route.ts'
import type { Context } from '../../context.ts'

/** What stands for the org of the token in a path. */
const CURRENT = 'current'

/**
 * The org that a path names, by id, by name, or as `current`. A token opens its own org and no other.
 * @throws ApiError NOT_FOUND
 */
export function checkOrg({ org }: Context, named: string): void {
  const names = [CURRENT, org.name.toLowerCase()]
  if (canonicalRecordId(named) === org.id || names.includes(named.toLowerCase())) return
  throw new ApiError('NOT_FOUND', 'The token is for another org, or there is none of that name')
}

const readOrg: Handler<{ org: string }> = (ctx, _call, { org }) => {
  checkOrg(ctx, org)
  const { id, name } = ctx.org
  return { status: 200, body: { id, name, schemaVersion: ctx.schema.version } }
}

export const orgRoutes = [route('GET', '/orgs/:org', 'setup', readOrg)]
