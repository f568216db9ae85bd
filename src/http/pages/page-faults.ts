import type { ConnectedApp } from '../../auth/oauth/connected-app.ts'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import { Html } from '../../auth/pages/html.ts'
import type { Config } from '../../config/config.ts'
import type { PageRoute } from '../../faults/log-ins/log-in-routes.ts'
import { getAuthorizeText } from '../../faults/log-ins/oauth-errors.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { makeProxyReply } from '../middleware/fault-injection.ts'
import { injectLogInFaults, type LogInFaultServices } from '../middleware/log-in-faults.ts'
import type { PageContext, PageReply } from './page-context.ts'
import { PageRefusal } from './page-refusal.ts'

export interface PageFaultServices extends LogInFaultServices {
  readonly config: Pick<Config, 'versions'>
}

/** Who asks for a page of a log-in, as far as it is known. */
export interface PageRequest {
  readonly route: PageRoute
  readonly org: Org
  readonly app?: ConnectedApp | undefined
  readonly username?: string | undefined
  /** Refuses the app for good; default the error alone. */
  readonly refuseApp?: (error: OAuthError) => Promise<never>
}

/** Answers a request for a page of a log-in, unless a fault plan of its org refuses it first. */
export type WithPageFaults = (
  context: PageContext,
  request: PageRequest,
  answer: () => Promise<PageReply>,
) => Promise<PageReply>

function answerAsProxy(given: number): PageReply {
  const { status, headers, body } = makeProxyReply(given)
  return { status, headers, html: new Html(String(body)) }
}

/** An app may be told in a redirect, a person is on a page; that is up to the page. */
function findFailure(thrown: unknown) {
  if (thrown instanceof OAuthError) return { status: 400, code: thrown.error }
  return thrown instanceof PageRefusal
    ? { status: thrown.status, code: thrown.details.code ?? '' }
    : undefined
}

export function injectPageFaults(services: PageFaultServices): WithPageFaults {
  const withFaults = injectLogInFaults(services)
  if (withFaults === undefined) return (_context, _request, answer) => answer()
  const version = services.config.versions.at(-1)!
  return ({ request, form, query }, { route, org, app, username = '', refuseApp }, answer) => {
    const { method } = request
    return withFaults<PageReply>({
      org,
      call: {
        ...{ route, method, username, version },
        appId: app?.clientId,
        appName: app?.name,
        step: undefined,
        isDelivery: false,
      },
      sameness: [String(query), form.get('user_code') ?? '', username],
      refuse({ oauth }) {
        if (oauth === undefined) return undefined
        const error = new OAuthError(oauth.error, oauth.description ?? getAuthorizeText(oauth.error))
        if (refuseApp !== undefined) return refuseApp(error)
        throw error
      },
      answerAsProxy,
      cut: () => ({ status: 500, isCut: true }),
      answer,
      findFailure,
    })
  }
}
