import {
  AUTHORIZE_PATH,
  type AuthorizePlace,
  AuthorizeRefusal,
  type AuthorizeTarget,
  findTarget,
} from '../../auth/authorize/authorize-request.ts'
import { makeFormSource } from '../../auth/authorize/callback-address.ts'
import { HOME, localPath } from '../../auth/authorize/return-path.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import { findNamedOrg } from '../../storage/orgs/orgs.ts'
import { findHostOwner, findOrgOrigin } from '../request/org-host.ts'
import { findPageOrg, type PageContext } from './page-context.ts'

/** Where a user goes on to after a log-in. */
export interface ReturnTarget {
  /** A path of this server. */
  readonly path: string
  /** The approval that the user is asked for there, if any. */
  readonly target?: AuthorizeTarget
  /** Browsers follow a form to its end: where that may be beside this server. */
  readonly formSource?: string
  /** The name that the app expects. */
  readonly loginHint: string
}

export interface TargetServices {
  readonly db: Db
  readonly reserved: Db
  readonly hosts: OrgHosts
  readonly config: Pick<Config, 'consoleOrigin'>
}

function describePlace(services: TargetServices, context: PageContext): AuthorizePlace {
  const { reserved, hosts, config } = services
  return {
    findOrg: (named) =>
      named === undefined ? findPageOrg(services, context) : findNamedOrg(reserved, named),
    async findConsoleOrigins(org) {
      const own = await findOrgOrigin({ hosts }, context.origin, org)
      return [context.origin, own, ...(config.consoleOrigin === undefined ? [] : [config.consoleOrigin])]
    },
  }
}

/** @throws AuthorizeRefusal */
export const findPageTarget = (
  services: TargetServices,
  context: PageContext,
  parameters: URLSearchParams,
): Promise<AuthorizeTarget> => findTarget(services.reserved, parameters, describePlace(services, context))

/** On an org's host only that org's apps resolve. */
export async function isAtItsHost(
  { hosts }: TargetServices,
  { request }: PageContext,
  { app }: AuthorizeTarget,
): Promise<boolean> {
  const owner = await findHostOwner({ hosts }, request)
  return owner === undefined || app.org === undefined || app.org.id === owner
}

/** Finds the target that the parameter `retURL` names; addresses outside of this server are not followed. */
export async function findReturnTarget(
  services: TargetServices,
  context: PageContext,
  parameters: URLSearchParams,
): Promise<ReturnTarget> {
  const path = localPath(parameters.get('retURL')) ?? HOME
  const [pathname, search = ''] = path.split(/\?(.*)/s, 2) as [string, string?]
  const plain = { path, loginHint: '' }
  if (pathname !== AUTHORIZE_PATH) return plain
  const request = new URLSearchParams(search)
  try {
    const target = await findPageTarget(services, context, request)
    if (!(await isAtItsHost(services, context, target))) return plain
    const formSource = makeFormSource(target.redirectUri)
    return { path, target, formSource, loginHint: request.get('login_hint') ?? '' }
  } catch (error) {
    // The next page says what is wrong.
    if (error instanceof AuthorizeRefusal) return plain
    throw error
  }
}

export const withReturn = (page: string, path: string) => `${page}?retURL=${encodeURIComponent(path)}`
