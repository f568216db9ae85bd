import {
  AUTHORIZE_PATH,
  AuthorizeRefusal,
  type AuthorizeTarget,
  findTarget,
} from '../../auth/authorize-request.ts'
import { formSourceOf } from '../../auth/callback-address.ts'
import { HOME, localPath } from '../../auth/return-path.ts'
import { hostOwner, type PageVisit } from './page-visit.ts'

/** Where a user goes on to after a log-in. */
export interface ReturnTarget {
  /** A path of this server. */
  readonly path: string
  /** What the user's agreement is asked for there, if that is what comes next. */
  readonly target?: AuthorizeTarget
  /** Browsers follow a form to its end: where that may be beside this server. */
  readonly formSource?: string
  /** The name that the app expects. */
  readonly loginHint: string
}

/** An app of another org is none under the host of an org. */
export async function isAtHome(visit: PageVisit, { app }: AuthorizeTarget): Promise<boolean> {
  const owner = await hostOwner(visit)
  return owner === undefined || app.org === undefined || app.org.id === owner
}

/** What the parameter `retURL` names; an address that is none of ours is not followed. */
export async function returnTargetOf(visit: PageVisit, parameters: URLSearchParams): Promise<ReturnTarget> {
  const path = localPath(parameters.get('retURL')) ?? HOME
  const [pathname, search = ''] = path.split(/\?(.*)/s, 2) as [string, string?]
  const plain = { path, loginHint: '' }
  if (pathname !== AUTHORIZE_PATH) return plain
  const asked = new URLSearchParams(search)
  try {
    const target = await findTarget(visit.house.reserved, asked)
    if (!(await isAtHome(visit, target))) return plain
    const formSource = formSourceOf(target.redirectUri)
    return { path, target, formSource, loginHint: asked.get('login_hint') ?? '' }
  } catch (error) {
    // The next page says what is wrong.
    if (error instanceof AuthorizeRefusal) return plain
    throw error
  }
}

export const withReturn = (page: string, path: string) => `${page}?retURL=${encodeURIComponent(path)}`
