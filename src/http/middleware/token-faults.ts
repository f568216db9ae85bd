import { findApp } from '../../auth/apps/find-app.ts'
import { clientCredentialsIn } from '../../auth/endpoints/client-credentials-in.ts'
import { getOAuthStatus, OAuthError, rateExceeded } from '../../auth/oauth/oauth-error.ts'
import { readAssertion } from '../../auth/tokens/assertions.ts'
import { findRefreshToken } from '../../auth/tokens/refresh-tokens.ts'
import { revokeFamily, revokeRefreshTokens } from '../../auth/tokens/revoke.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { FaultEffect } from '../../faults/fault-plan.ts'
import { TOKEN_ROUTE } from '../../faults/log-ins/log-in-routes.ts'
import { findGrantName, type GrantName, getOAuthText } from '../../faults/log-ins/oauth-errors.ts'
import type { FaultCall } from '../../faults/match-call.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import { cutConnection, makeProxyReply, type TokenServices } from './fault-injection.ts'
import { injectLogInFaults, type LogInFaultServices } from './log-in-faults.ts'

interface TokenFaultServices extends TokenServices, LogInFaultServices {
  readonly hosts: OrgHosts
  readonly config: Pick<Config, 'versions'>
}

type Parameters = ReadonlyMap<string, string>

/** Answers a token request, unless a fault plan of its org refuses it first. */
export type WithTokenFaults = (
  context: HttpContext,
  parameters: Parameters,
  answer: () => Promise<Reply>,
) => Promise<Reply>

interface Described {
  readonly org: Org
  readonly grant: GrantName | undefined
  readonly call: FaultCall
}

/** How long a client has to wait that was refused for its rate. */
const RETRY_SECONDS = 60

/** Guessable: not even their hashes are kept. */
const SECRETS: readonly string[] = ['password', 'client_secret']

/** Client and user of an assertion, which nobody has verified yet. */
function readNames(assertion: string | undefined): { issuer?: string; subject?: string } {
  if (assertion === undefined) return {}
  try {
    return readAssertion(assertion)
  } catch {
    return {}
  }
}

export function injectTokenFaults(services: TokenFaultServices): WithTokenFaults {
  const { reserved: db, hosts, sessions, config } = services
  const withFaults = injectLogInFaults(services)
  if (withFaults === undefined) return (_context, _parameters, answer) => answer()

  /** Undefined if the org is not known. */
  async function describe({ request }: HttpContext, parameters: Parameters): Promise<Described | undefined> {
    const { issuer, subject } = readNames(parameters.get('assertion'))
    const { clientId = issuer } = clientCredentialsIn(parameters, request.headers.authorization)
    const app = clientId === undefined ? undefined : await findApp(db, clientId)
    const sent = parameters.get('refresh_token')
    const refresh = sent === undefined ? undefined : await findRefreshToken(db, sent)
    const org = app?.org ?? refresh?.org ?? (await hosts.orgAt(request.hostname))
    if (org === undefined) return undefined
    const grant = findGrantName(parameters.get('grant_type'))
    const call: FaultCall = {
      route: TOKEN_ROUTE,
      method: 'POST',
      grant,
      appId: clientId,
      appName: app?.name,
      username: parameters.get('username') ?? subject ?? '',
      version: config.versions.at(-1)!,
      step: undefined,
      isDelivery: false,
    }
    return { org, grant, call }
  }

  /** One that was used again takes all tokens of its approval along. */
  async function loseRefreshToken(how: 'expired' | 'reused', text: string | undefined): Promise<never> {
    const token = text === undefined ? undefined : await findRefreshToken(db, text)
    if (token !== undefined) {
      await (how === 'reused' ? revokeFamily(db, token) : revokeRefreshTokens(db, token))
      sessions.expectRevocations()
    }
    throw new OAuthError('invalid_grant', getOAuthText('invalid_grant', 'refresh_token'))
  }

  /** @throws OAuthError */
  async function refuse(
    { oauth, refreshToken }: FaultEffect,
    grant: GrantName | undefined,
    parameters: Parameters,
  ): Promise<undefined> {
    if (refreshToken !== undefined) return loseRefreshToken(refreshToken, parameters.get('refresh_token'))
    if (oauth === undefined) return
    if (oauth.error === 'rate_limit_exceeded') throw rateExceeded(RETRY_SECONDS)
    throw new OAuthError(oauth.error, oauth.description ?? getOAuthText(oauth.error, grant))
  }

  return async (context, parameters, answer) => {
    const described = await describe(context, parameters)
    if (described === undefined) return answer()
    const { org, grant, call } = described
    return withFaults<Reply>({
      ...{ org, call, answer },
      sameness: [...parameters].filter(([name]) => !SECRETS.includes(name)).flat(),
      refuse: (effect) => refuse(effect, grant, parameters),
      answerAsProxy: makeProxyReply,
      cut() {
        cutConnection(context)
        return { status: 500 }
      },
      findFailure: (thrown) =>
        thrown instanceof OAuthError ? { status: getOAuthStatus(thrown), code: thrown.error } : undefined,
    })
  }
}
