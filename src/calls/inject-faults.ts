import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, serverTooBusy } from '../base/api-error.ts'
import type { ApiVersion } from '../base/api-version.ts'
import type { FaultEffect } from '../faults/fault-plan.ts'
import type { InjectedFault } from '../faults/fault-store.ts'
import { lockedRow } from '../storage/database/fault-error.ts'
import { goneVersion } from './version-support.ts'

/** An unexpected failure: it is logged and reported like any other internal error. */
class InjectedFaults extends Error {}

/** The platform's messages for codes that rarely occur here without a fault plan. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['INVALID_ID_FIELD', 'invalid ID field'],
  ['STORAGE_LIMIT_EXCEEDED', 'storage limit exceeded'],
])

function makeError(name: string, effect: FaultEffect, { major }: ApiVersion): Error | undefined {
  const { error, status, retired, lockedRow: isLocked } = effect
  if (error !== undefined) {
    const { code, message = MESSAGES.get(error.code) ?? `The fault ${name} is injected`, fields } = error
    return new ApiError(code as ApiError['code'], message, fields && { fields })
  }
  if (status === 500) return new InjectedFaults(`The fault ${name} is injected`)
  if (status === 503) return serverTooBusy()
  if (retired) return goneVersion(major)
  return isLocked ? lockedRow() : undefined
}

/** @throws the deadline's reason when it passes */
async function waitFor(milliseconds: number, deadline: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: deadline }).catch(() => deadline.throwIfAborted())
}

/**
 * Applies a matching fault before the operation is carried out: delays it, or fails it as the real failure would.
 * @throws what the real failure throws
 */
export async function injectFault(
  { name, effect }: InjectedFault,
  version: ApiVersion,
  deadline: AbortSignal,
): Promise<void> {
  if (effect.latency !== undefined) await waitFor(effect.latency, deadline)
  const error = makeError(name, effect, version)
  if (error !== undefined) throw error
}
