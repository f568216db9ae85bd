import { findApp } from '../../auth/apps/find-app.ts'
import { clientCredentialsIn } from '../../auth/endpoints/client-credentials-in.ts'
import { OAuthError, rateExceeded } from '../../auth/oauth/oauth-error.ts'
import { readAssertion } from '../../auth/tokens/assertions.ts'
import { findRefreshToken } from '../../auth/tokens/refresh-tokens.ts'
import { revokeFamily, revokeRefreshTokens } from '../../auth/tokens/revoke.ts'
import { makeApiVersion } from '../../base/api-version.ts'
import { injectFault } from '../../calls/inject-faults.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { FaultEffect } from '../../faults/fault-plan.ts'
import type { FaultStore } from '../../faults/fault-store.ts'
import type { FaultCall } from '../../faults/match-call.ts'
import { findGrantName, type GrantName, getOAuthText, TOKEN_ROUTE } from '../../faults/oauth-errors.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import { cutConnection, makeProxyReply, type TokenServices } from './fault-injection.ts'

interface TokenFaultServices extends Omit<TokenServices, 'journal'> {
  readonly faults: FaultStore | undefined
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

/** Nothing ends a token request before its answer. */
const NO_DEADLINE = new AbortController().signal

/** How long a client has to wait that was refused for its rate. */
const RETRY_SECONDS = 60

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
  const { faults: store, reserved: db, hosts, sessions, config } = services
  if (store === undefined) return (_context, _parameters, answer) => answer()

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
  function refuse({ oauth }: FaultEffect, grant: GrantName | undefined): void {
    if (oauth === undefined) return
    if (oauth.error === 'rate_limit_exceeded') throw rateExceeded(RETRY_SECONDS)
    throw new OAuthError(oauth.error, oauth.description ?? getOAuthText(oauth.error, grant))
  }

  return async (context, parameters, answer) => {
    const described = await describe(context, parameters)
    if (described === undefined) return answer()
    const { org, grant, call } = described
    const matched = await store.matchCall(org, call)
    context.facts.faultNames = matched.map(({ name }) => name)
    for (const one of matched) {
      const { effect } = one
      refuse(effect, grant)
      if (effect.refreshToken !== undefined) {
        return loseRefreshToken(effect.refreshToken, parameters.get('refresh_token'))
      }
      const { status } = effect
      if (status === 420 || status === 502 || status === 504) return makeProxyReply(status)
      if (effect.cut === 'beforeCommit') {
        cutConnection(context)
        // It is not sent.
        return { status: 500 }
      }
      await injectFault(one, makeApiVersion(call.version), NO_DEADLINE)
    }
    const reply = await answer()
    if (matched.some(({ effect }) => effect.cut === 'afterCommit')) cutConnection(context)
    return reply
  }
}
