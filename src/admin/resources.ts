import { ApiError } from '../base/api-error.ts'
import type { Call } from '../calls/call.ts'
import { readOptionalEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { deleteRecords } from '../records/delete/delete.ts'
import { createRecord } from '../records/write/insert.ts'
import { namedObject } from '../records/write/named-object.ts'
import { findGrantee } from './grantee.ts'
import { checkOrg } from './orgs.ts'
import { noneOfThat, type Platform } from './platform.ts'
import { setupResourceSql } from './resources.sql.ts'

type InOrg = { readonly org: string }
type Named = InOrg & { readonly resource: string }

interface Identified {
  readonly id: string
}

interface Grant {
  readonly resource: string
  readonly name: string
}

/** Finds the permission set named in the body. */
const granteeIn = (ctx: Context, call: Call) =>
  findGrantee(ctx, readOptionalEnvelope(call, ['to']).text('to'))

/** Loads the grants of a resource to a permission set, and locks the set until the transaction ends. */
async function loadGrants({ db, org }: Context, setId: string, resource: string): Promise<readonly string[]> {
  const [set] = await db.query(setupResourceSql.lock(org, setId))
  if (set === undefined) throw new ApiError('INVALID_INPUT', 'The permission set was deleted meanwhile')
  const grants = await db.query<Identified>(setupResourceSql.granted(org, setId, resource))
  return grants.map(({ id }) => id)
}

const close: Handler<Named> = async (ctx, call, { org, resource }) => {
  await checkOrg(ctx, org)
  const setId = await granteeIn(ctx, call)
  if (resource.includes('\0')) return noContent
  await ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db }
    const ids = await loadGrants(inside, setId, resource)
    if (ids.length > 0) await deleteRecords(inside, namedObject(ctx, 'SetupEntityAccess'), ids, true)
  })
  return noContent
}

/** Lists the custom resources of the deployment and manages who may call them. */
export const resourceRoutes = ({ code }: Platform): readonly Route[] => {
  const list: Handler<InOrg> = async (ctx, _call, params) => {
    await checkOrg(ctx, params.org)
    const grants = await ctx.db.query<Grant>(setupResourceSql.grants(ctx.org))
    const resources = [...(code.current?.resources.all ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
    const body = resources.map(({ name, path, verbs, webhook }) => ({
      ...{ name, path, verbs },
      isReceiver: webhook !== undefined,
      openTo: grants.filter(({ resource }) => resource === name).map((grant) => grant.name),
    }))
    return { status: 200, body }
  }

  const open: Handler<Named> = async (ctx, call, { org, resource }) => {
    await checkOrg(ctx, org)
    const resources = code.current?.resources
    if (resources?.named(resource) === undefined) throw noneOfThat('resource', resource, resources?.all)
    const setId = await granteeIn(ctx, call)
    await ctx.db.transaction(async (db) => {
      const inside = { ...ctx, db }
      if ((await loadGrants(inside, setId, resource)).length > 0) return
      const members = { ParentId: setId, ResourceName: resource }
      await createRecord(inside, namedObject(ctx, 'SetupEntityAccess'), { members, locate: call.locate })
    })
    return noContent
  }

  return [
    route('GET', '/orgs/:org/resources', 'setup', list),
    route('POST', '/orgs/:org/resources/:resource/open', 'setup', open),
    route('POST', '/orgs/:org/resources/:resource/close', 'setup', close),
  ]
}
