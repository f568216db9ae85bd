import { explainAccess } from '../access/why.ts'
import { findUserId } from '../auth/users/users.ts'
import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Call } from '../calls/call.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

function parameter(call: Call, name: string): string {
  const value = call.query.get(name)
  if (value === null || value === '')
    throw new ApiError('MISSING_ARGUMENT', `The parameter ${name} is required`)
  return value
}

/** Finds a user by username or id. */
async function requireUserId({ db, org }: Context, named: string): Promise<string> {
  const id = canonicalRecordId(named) ?? (await findUserId(db, org, named))
  if (id === undefined) throw new ApiError('NOT_FOUND', `There is no user ${named.slice(0, 80)}`)
  return id
}

/** Explains why a user may or may not read, edit or delete a record. */
export const whyRoutes = ({ runtimes }: Platform): readonly Route[] => {
  const why: Handler<{ org: string }> = async (ctx, call, params) => {
    await checkOrg(ctx, params.org)
    const userId = await requireUserId(ctx, parameter(call, 'user'))
    const recordId = canonicalRecordId(parameter(call, 'record'))
    const { org, db, schema } = ctx
    const caller = await runtimes.of(org).callers.of(userId)
    if (caller === undefined) {
      const message = 'The user does not exist or is inactive'
      throw new ApiError('NOT_FOUND', message)
    }
    const { user, access } = caller
    const found = recordId && (await explainAccess({ org, db, schema, user, access }, recordId))
    if (!found) throw new ApiError('NOT_FOUND', 'There is no such record')
    return { status: 200, body: { user: user.username, record: recordId, ...found } }
  }
  return [route('GET', '/orgs/:org/why', 'setup', why)]
}
