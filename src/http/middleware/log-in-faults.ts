import { createHash } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import { makeApiVersion } from '../../base/api-version.ts'
import type { Clock } from '../../base/clock.ts'
import { injectFault } from '../../calls/inject-faults.ts'
import type { FaultEffect } from '../../faults/fault-plan.ts'
import type { FaultStore, InjectedFault } from '../../faults/fault-store.ts'
import type { Journal } from '../../faults/journal/journal.ts'
import { type FaultCall, namesLogIn } from '../../faults/match-call.ts'
import type { Org } from '../../storage/orgs/org.ts'

/** How a request of a log-in ended, for the journal. */
interface Failure {
  readonly status: number
  readonly code: string
}

/** A request of a log-in, and how it is refused there. */
interface LogInRequest<Answer> {
  readonly org: Org
  readonly call: FaultCall
  /** Texts that are equal when a client repeats itself. */
  readonly sameness: readonly string[]
  /** Ends the request where an effect has nothing to do with its transport. It may answer, or throw what the real refusal throws. */
  refuse(effect: FaultEffect): Promise<Answer | undefined> | Answer | undefined
  /** Answers as a proxy does. */
  answerAsProxy(status: number): Answer
  /** Ends the connection. What it returns is not sent. */
  cut(): Answer
  answer(): Promise<Answer>
  /** Of what was thrown; undefined: it is an error like those of calls. */
  findFailure(thrown: unknown): Failure | undefined
}

export type WithLogInFaults = <Answer extends { readonly status: number }>(
  request: LogInRequest<Answer>,
) => Promise<Answer>

export interface LogInFaultServices {
  readonly faults: FaultStore | undefined
  readonly journal: Journal | undefined
  readonly clock: Clock
}

/** Nothing ends a log-in before its answer. */
const NO_DEADLINE = new AbortController().signal

const hash = (parts: readonly string[]) =>
  createHash('sha1').update(parts.join('\n')).digest('base64').slice(0, 20)

function findFailureOf(thrown: unknown): Failure {
  if (thrown instanceof ApiError) return { status: thrown.status, code: thrown.code }
  return { status: 500, code: 'UNKNOWN_EXCEPTION' }
}

/** The first effect that ends the request ends it; latency only delays it. */
async function strike<Answer>(
  matched: readonly InjectedFault[],
  request: LogInRequest<Answer>,
): Promise<Answer | undefined> {
  for (const one of matched) {
    const { effect } = one
    const refused = await request.refuse(effect)
    if (refused !== undefined) return refused
    const { status, cut } = effect
    if (status === 420 || status === 502 || status === 504) return request.answerAsProxy(status)
    if (cut === 'beforeCommit') return request.cut()
    await injectFault(one, makeApiVersion(request.call.version), NO_DEADLINE)
  }
  return undefined
}

/** Answers requests of log-ins, unless a fault plan of their org refuses them first. Undefined where the settings allow no faults. */
export function injectLogInFaults({
  faults: store,
  journal,
  clock,
}: LogInFaultServices): WithLogInFaults | undefined {
  if (store === undefined) return undefined

  /** Requests that met no fault are there too where a plan is about them: a client may have repeated one that did. */
  async function isJournaled(org: Org, call: FaultCall): Promise<boolean> {
    const plans = await store!.loadPlans(org)
    return plans.some(({ plan }) => namesLogIn(plan.match ?? {}, call))
  }

  async function note<Answer>(
    { org, call, sameness }: LogInRequest<Answer>,
    matched: readonly InjectedFault[],
    beganAt: number,
    failure: Failure,
  ): Promise<void> {
    if (journal === undefined || !(await isJournaled(org, call))) return
    const { route, method, appId: clientId } = call
    const same = hash([clientId ?? '', method, route, ...sameness])
    journal.note(org.id, {
      kind: 'call',
      isCounted: false,
      beganAt,
      milliseconds: clock().getTime() - beganAt,
      ...{ clientId, method, route, version: '' },
      ...failure,
      fault: matched.map(({ name }) => name).join(', '),
      sameness: same,
      samenessInAnyVersion: same,
    })
  }

  return async (request) => {
    const beganAt = clock().getTime()
    const matched = await store.matchCall(request.org, request.call)
    const isCut = matched.some(({ effect }) => effect.cut !== undefined)
    let failure: Failure = { status: 0, code: '' }
    try {
      const struck = await strike(matched, request)
      const answer = struck ?? (await request.answer())
      if (!isCut) failure = { status: answer.status, code: '' }
      return struck === undefined && isCut ? request.cut() : answer
    } catch (thrown) {
      failure = request.findFailure(thrown) ?? findFailureOf(thrown)
      throw thrown
    } finally {
      journal?.expect(note(request, matched, beganAt, failure))
    }
  }
}
