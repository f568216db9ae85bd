import { STATUS_CODES } from 'node:http'
import { findApp } from '../auth/apps/find-app.ts'
import { revokeSession } from '../auth/revoke.ts'
import { hashToken } from '../auth/token-text.ts'
import { rehearse } from '../calls/rehearse.ts'
import type { Reply } from '../calls/reply.ts'
import { goneVersion } from '../calls/version-support.ts'
import { callFaults } from '../faults/call-faults.ts'
import type { FaultStore, Met } from '../faults/fault-store.ts'
import { canHappen, type FaultCall } from '../faults/fits.ts'
import { tooManyCallsPerSecond, tooManyLongCalls, totalRequestsUsedUp } from '../limits/limit-errors.ts'
import { bearerToken } from './bearer-token.ts'
import { bearerToCaller, uriTooLong } from './data-stages.ts'
import type { Stage, Visit } from './visit.ts'

/** The header that names an effect for its own call, and its twin under the vendor's name. */
const HEADERS = ['svc-fault', 'sforce-fault']

/** The name is looked up only where a plan asks for one. */
async function appNameOf(store: FaultStore, { house, runtime, session }: Visit): Promise<string | undefined> {
  const plans = await store.plansOf(runtime!.org)
  if (session?.clientId === undefined || plans.every(({ plan }) => plan.match?.app === undefined)) {
    return undefined
  }
  return (await findApp(house.reserved, session.clientId))?.name
}

async function faultCallOf(store: FaultStore, visit: Visit): Promise<FaultCall> {
  const { resource, target, session, caller, method } = visit
  const isCustom = resource !== undefined
  return {
    route: isCustom ? `/services/customrest${resource.path}` : (visit.route ?? target!.path),
    method,
    appId: session?.clientId,
    appName: await appNameOf(store, visit),
    username: caller!.principal.username,
    version: target!.version.major,
    step: undefined,
    isDelivery: resource?.webhook !== undefined,
  }
}

/** What a header of the call asks for, where the server listens to it. */
async function metByHeader({ house, request, runtime }: Visit, call: FaultCall): Promise<readonly Met[]> {
  if (house.config.allowFaults !== 'headers') return []
  const name = HEADERS.find((header) => request.headers[header] !== undefined)
  if (name === undefined) return []
  const { parseEffectText } = await import('../faults/fault-plan.ts')
  const effect = parseEffectText(String(request.headers[name]))
  if (!canHappen(effect, call)) return []
  const { route, method } = call
  house.observe({ kind: 'fault', name, orgId: runtime!.org.id, route, method })
  return [{ name, effect }]
}

/** What stands between a client and a server and cannot reach it answers in the language of browsers. */
function edgeReply(status: number): Reply {
  const title = `${status} ${STATUS_CODES[status] ?? 'Routing Error'}`
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  }
}

/** Ends the connection without an answer. */
function cutConnection({ request, response }: Visit): void {
  response.hijack()
  request.raw.socket.destroy()
}

/** The token is taken away for good, in every process, and the call finds it so. */
async function loseToken(visit: Visit): Promise<Reply | undefined> {
  const { reserved: db, sessions, journal } = visit.house
  const hash = hashToken(bearerToken(visit.request.headers.authorization!)!)
  journal?.lose(hash, visit.session!.clientId)
  await revokeSession(db, hash)
  sessions.expectRevocations()
  return bearerToCaller(visit)
}

/** What the call meets before it is one that counts. A reply, or an error, is its end. */
async function turnAway(visit: Visit, { effect }: Met): Promise<Reply | undefined> {
  const { token, status, limit, uriTooLong: isTooLong, retired } = effect
  if (token !== undefined) return loseToken(visit)
  if (status === 420 || status === 502 || status === 504) return edgeReply(status)
  if (limit === 'total') throw totalRequestsUsedUp()
  if (limit === 'concurrent') throw tooManyLongCalls()
  if (limit === 'perSecond') throw tooManyCallsPerSecond()
  if (isTooLong) throw uriTooLong()
  if (retired) throw goneVersion(visit.target!.version.major)
  return undefined
}

/** What later stages have to know. */
function prepare(visit: Visit, { effect: { cut, limitHeader, delivery } }: Met): void {
  visit.isCutAfterwards ||= cut === 'afterCommit'
  visit.hidesLimitHeader ||= limitHeader !== undefined
  visit.rehearsedDelivery ??= delivery
}

/** Finds the failures that the org of a call rehearses for it, and turns it away where they do. */
export const meetFaults: Stage = async (visit) => {
  const store = visit.house.faults
  if (store === undefined) return undefined
  const { org } = visit.runtime!
  const call = await faultCallOf(store, visit)
  const met = [...(await store.meet(org, call)), ...(await metByHeader(visit, call))]
  visit.met = met
  for (const one of met) {
    const reply = await turnAway(visit, one)
    if (reply !== undefined) return reply
    prepare(visit, one)
  }
  visit.faults = await callFaults(store, org, call, met)
  return undefined
}

/** Has a call that counts suffer what it met: it waits, fails or is cut, before it is carried out. */
export const sufferFaults: Stage = async (visit) => {
  const { met = [], target, running } = visit
  for (const one of met) {
    if (one.effect.cut === 'beforeCommit') cutConnection(visit)
    await rehearse(one, target!.version, running!.deadline)
  }
  return undefined
}

/** Carries a call out, and perhaps lets nobody know. */
export const cutAfterwards =
  (stage: Stage): Stage =>
  async (visit) => {
    try {
      return await stage(visit)
    } finally {
      if (visit.isCutAfterwards) cutConnection(visit)
    }
  }
