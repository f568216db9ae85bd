import { SINGLE_ACCESS_PATH, useSingleAccess } from '../../auth/authorize/single-access.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../storage/database/db.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import { findHostOwner } from '../request/org-host.ts'
import { SESSION_COOKIE, setCookie } from './cookies.ts'
import { isSecure, type Page, type PageHandler, redirect } from './page-context.ts'
import { PageRefusal } from './page-refusal.ts'

interface SingleAccessPageServices {
  readonly reserved: Db
  readonly clock: Clock
  readonly hosts: OrgHosts
  readonly config: Pick<Config, 'publicUrl'>
}

/** One text whatever is wrong: different ones would reveal which codes there were. */
const refuse = () =>
  new PageRefusal(
    400,
    'This address does not work any more',
    'It works once, within a minute after it was made. Ask for another one, or log in.',
  )

const enter =
  (services: SingleAccessPageServices): PageHandler =>
  async ({ request, query }) => {
    const { reserved, clock, hosts, config } = services
    // A preview of the link, as chats make it, does not use it up.
    if (request.method === 'HEAD') return { status: 200 }
    const codes = query.getAll('otp')
    if (codes.length !== 1) throw refuse()
    const begun = await useSingleAccess(reserved, clock, codes[0]!, await findHostOwner({ hosts }, request))
    if (begun === undefined) throw refuse()
    return redirect(begun.startPath, [setCookie(SESSION_COOKIE, begun.cookie, { secure: isSecure(config) })])
  }

const refuseForm: PageHandler = async () => {
  throw new PageRefusal(405, 'Not possible here', 'This address is opened, not sent a form.', {
    headers: { Allow: 'GET, HEAD' },
  })
}

/** Opens a browser session that ends with the access token behind it. (docs/reference/api/tokens.md#single-access) */
export const makeSingleAccessPage = (services: SingleAccessPageServices): Page => ({
  url: SINGLE_ACCESS_PATH,
  get: enter(services),
  post: refuseForm,
})
