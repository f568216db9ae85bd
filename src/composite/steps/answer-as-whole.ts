import type { ApiError } from '../../base/api-error.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Requested, StepFaults } from './step-faults.ts'

/** An operation of a call that has several. */
export interface Operation {
  readonly method: string
  readonly reply: Reply
  /** A fault was injected into this step only, so the call itself has not failed. */
  readonly isInjected: boolean
}

/** Operations in their order, with their replies. */
export const makeOperations = (
  steps: readonly Requested[],
  replies: readonly Reply[],
  faults: StepFaults,
): Operation[] =>
  steps.map((step, number) => ({
    method: step.method,
    reply: replies[number]!,
    isInjected: faults?.get(step) !== undefined,
  }))

/** The errors of the steps that failed. */
export const collectErrors = (replies: readonly Reply[]): readonly ApiError[] =>
  replies.flatMap(({ error }) => error ?? [])

/** The server could not do it now. */
const isUnfinished = ({ status }: Reply) => status === 503

/** True if something of the call is there for good, or may be. */
const mayStay = ({ method, reply }: Operation) =>
  method !== 'GET' && (reply.status < 300 || reply.error?.isOutcomeUnknown === true)

/**
 * The reply of a call of which the server could not carry out an operation: it fails as a whole if nothing of it stays, so
 * that the client may send it again. Otherwise the operations tell.
 * @param whole with a reply for each operation
 */
export function answerAsWhole(operations: readonly Operation[], whole: Reply): Reply {
  const unfinished = operations.find(({ reply, isInjected }) => isUnfinished(reply) && !isInjected)
  if (unfinished === undefined) return whole
  return operations.some(mayStay) ? { ...whole, isPartial: true } : unfinished.reply
}
