import type { FastifyRequest } from 'fastify'
import { findApp } from '../../auth/apps/find-app.ts'
import { bearerToken, hashToken } from '../../auth/oauth/token-text.ts'
import { revokeSession } from '../../auth/tokens/revoke.ts'
import type { Sessions } from '../../auth/tokens/sessions.ts'
import type { Observe } from '../../base/observation.ts'
import { injectFault } from '../../calls/inject-faults.ts'
import type { Reply } from '../../calls/reply.ts'
import { goneVersion } from '../../calls/version-support.ts'
import type { Config } from '../../config/config.ts'
import { type CallFaults, callFaults } from '../../faults/call-faults.ts'
import type { FaultEffect } from '../../faults/fault-plan.ts'
import type { FaultStore, InjectedFault } from '../../faults/fault-store.ts'
import type { Journal } from '../../faults/journal/journal.ts'
import { canHappen, type FaultCall } from '../../faults/match-call.ts'
import { tooManyCallsPerSecond, tooManyLongCalls, totalRequestsUsedUp } from '../../quota/limit-errors.ts'
import type { Db } from '../../storage/database/db.ts'
import type { HttpContext, Identified, InOrg, Routed, Started } from '../pipeline/http-context.ts'
import { answered, type Middleware, type RequestHandler } from '../pipeline/pipeline.ts'
import { STATUS_TEXTS } from '../pipeline/status-texts.ts'
import { uriTooLong } from './check-request.ts'

/** The faults that are injected into one call. */
interface InjectedFaults {
  /** Effects that come before the call is carried out. */
  readonly matched: readonly InjectedFault[]
  /** Faults for the operations of the call; undefined if none matched. */
  readonly ofCall: CallFaults | undefined
  /** The call is carried out, and its connection is cut instead of a reply. */
  readonly cutsAfterwards: boolean
  /** The reply has no header with the calls that are left. */
  readonly hidesLimitHeader: boolean
  /** Fault of a webhook delivery. */
  readonly delivery: FaultEffect['delivery']
}

export interface WithFaults {
  readonly faults: InjectedFaults
}

/** Properties of a call that fault plans match, beside its caller. */
export interface FaultRoute extends Pick<FaultCall, 'route' | 'isDelivery'> {
  /** Whom a log-in names: it has no caller. */
  readonly username?: string
  /** Where it is not in the header that all others have it in. */
  readonly token?: string | undefined
}

/** A call whose caller may still be unknown. */
type FaultContext = HttpContext & InOrg & Partial<Pick<Identified, 'caller' | 'session'>> & Routed

/** Fault injection, as pipelines of calls use it. */
export interface FaultInjection {
  /** Finds the faults of a call before it is counted; some of them are its end. */
  match<Context>(
    describeRoute: (context: Context) => FaultRoute,
  ): Middleware<FaultContext & Context, WithFaults>
  /** Has a counted call wait, fail or lose its connection before it is carried out. */
  readonly apply: Middleware<HttpContext & Routed & Started & WithFaults>
  /** Carries a call out, and cuts its connection afterwards where a fault says so. */
  cutAfterwards<Context>(handler: RequestHandler<Context>): RequestHandler<Context & HttpContext & WithFaults>
}

const NO_FAULTS: WithFaults = Object.freeze({
  faults: Object.freeze({
    matched: [],
    ofCall: undefined,
    cutsAfterwards: false,
    hidesLimitHeader: false,
    delivery: undefined,
  }),
})

/** Where the settings allow no faults. */
export const NO_FAULT_INJECTION: FaultInjection = {
  match: () => () => NO_FAULTS,
  apply: () => undefined,
  cutAfterwards: (handler) => handler,
}

export interface TokenServices {
  readonly journal: Journal | undefined
  readonly sessions: Sessions
  readonly reserved: Db
}

interface FaultServices extends TokenServices {
  readonly faults: FaultStore
  readonly config: Pick<Config, 'allowFaults' | 'lenient'>
  readonly observe: Observe
  /**
   * The check that a call has passed, for one whose token is taken away.
   * @throws ApiError
   */
  readonly checkToken: (context: HttpContext, token: string) => Promise<unknown>
}

/** The header that names an effect for its own call, and its twin under the vendor's name. */
const HEADERS = ['svc-fault', 'sforce-fault']

/** Proxies that cannot reach a server answer in HTML. */
export function makeProxyReply(status: number): Reply {
  const title = `${status} ${STATUS_TEXTS[status] ?? 'Routing Error'}`
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  }
}

/** Ends the connection without a reply. */
export function cutConnection({ request, response }: Pick<HttpContext, 'request' | 'response'>): void {
  response.hijack()
  request.raw.socket.destroy()
}

const describeFaults = (
  matched: readonly InjectedFault[],
  ofCall: CallFaults | undefined,
): InjectedFaults => ({
  matched,
  ofCall,
  cutsAfterwards: matched.some(({ effect }) => effect.cut === 'afterCommit'),
  hidesLimitHeader: matched.some(({ effect }) => effect.limitHeader !== undefined),
  delivery: matched.find(({ effect }) => effect.delivery !== undefined)?.effect.delivery,
})

const findToken = ({ headers }: FastifyRequest) => bearerToken(headers.authorization)

/**
 * Takes the token of a request, and of an app, away for good, in every process.
 * @param token default the one in the header
 */
export async function loseToken(
  { journal, sessions, reserved }: TokenServices,
  request: FastifyRequest,
  clientId: string | undefined,
  token = findToken(request),
): Promise<void> {
  if (token === undefined) return
  const hash = hashToken(token)
  journal?.lose(hash, clientId)
  await revokeSession(reserved, hash)
  sessions.expectRevocations()
}

/** Injects the faults that orgs have planned, or that a call's own header names. */
export function injectFaults(services: FaultServices): FaultInjection {
  const { faults: store, reserved: db, config, observe } = services

  /** The name is looked up only where a plan asks for one. */
  async function findAppName({ runtime, session }: FaultContext): Promise<string | undefined> {
    const clientId = session?.clientId
    const plans = await store.loadPlans(runtime.org)
    if (clientId === undefined || plans.every(({ plan }) => plan.match?.app === undefined)) return undefined
    return (await findApp(db, clientId))?.name
  }

  async function describeCall(
    context: FaultContext,
    { route, isDelivery, username = '' }: FaultRoute,
  ): Promise<FaultCall> {
    const { target, session, caller, method } = context
    return {
      route,
      isDelivery,
      method,
      appId: session?.clientId,
      appName: await findAppName(context),
      username: caller?.principal.username ?? username,
      version: target.version.major,
      step: undefined,
    }
  }

  /** The fault that a header of the call names, where the settings allow that. */
  async function matchHeader(
    { request, runtime }: FaultContext,
    call: FaultCall,
  ): Promise<readonly InjectedFault[]> {
    if (config.allowFaults !== 'headers') return []
    const name = HEADERS.find((header) => request.headers[header] !== undefined)
    if (name === undefined) return []
    const { parseEffectText } = await import('../../faults/fault-plan.ts')
    const effect = parseEffectText(String(request.headers[name]))
    if (!canHappen(effect, call)) return []
    const { route, method } = call
    observe({ kind: 'fault', name, orgId: runtime.org.id, route, method })
    return [{ name, effect }]
  }

  /** The call finds its token revoked. */
  async function revokeToken(context: FaultContext, token = findToken(context.request)): Promise<undefined> {
    const { session, request } = context
    if (session === undefined || token === undefined) return
    await loseToken(services, request, session.clientId, token)
    await services.checkToken(context, token)
  }

  /** Ends a call before it is counted, where the effect says so: with a reply, or an error that is thrown. */
  async function refuse(
    context: FaultContext,
    { effect }: InjectedFault,
    sentToken: string | undefined,
  ): Promise<Reply | undefined> {
    const { token, status, limit, uriTooLong: isTooLong, retired } = effect
    if (token !== undefined) return revokeToken(context, sentToken)
    if (status === 420 || status === 502 || status === 504) return makeProxyReply(status)
    if (limit === 'total') throw totalRequestsUsedUp()
    if (limit === 'concurrent') throw tooManyLongCalls()
    if (limit === 'perSecond') throw tooManyCallsPerSecond()
    if (isTooLong) throw uriTooLong(config)
    if (retired) throw goneVersion(context.target.version.major)
    return undefined
  }

  return {
    match: (describeRoute) => async (context) => {
      const { org } = context.runtime
      const described = describeRoute(context)
      const call = await describeCall(context, described)
      const matched = [...(await store.matchCall(org, call)), ...(await matchHeader(context, call))]
      context.facts.faultNames = matched.map(({ name }) => name)
      for (const one of matched) {
        const reply = await refuse(context, one, described.token)
        if (reply !== undefined) return answered(reply)
      }
      return { faults: describeFaults(matched, await callFaults(store, org, call, matched)) }
    },

    async apply(context) {
      const { faults, target, running } = context
      for (const one of faults.matched) {
        if (one.effect.cut === 'beforeCommit') cutConnection(context)
        await injectFault(one, target.version, running.deadline)
      }
      return undefined
    },

    cutAfterwards: (handler) => async (context) => {
      try {
        return await handler(context)
      } finally {
        if (context.faults.cutsAfterwards) cutConnection(context)
      }
    },
  }
}
