import { setTimeout as sleep } from 'node:timers/promises'
import { getErrorMessage } from '../command/get-error-message.ts'

/** Finding of a check. */
export interface Finding {
  /** Subject: `Node.js`, `database`. */
  readonly check: string
  readonly status: 'ok' | 'warning' | 'problem'
  /** Observed state. */
  readonly message: string
  /** Recommended action; null if none is needed. */
  readonly remedy: string | null
}

export const ok = (check: string, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  remedy: null,
})

export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  message,
  remedy,
})

export const problem = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'problem',
  message,
  remedy,
})

/** How long one check may take, in milliseconds: an address that does not answer keeps nobody waiting. */
const CHECK_TIMEOUT_MS = 8000

/** The findings of a check; a check that throws or takes too long is a problem of its own. */
export async function runCheck(
  check: string,
  find: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  const stop = new AbortController()
  const late = sleep(CHECK_TIMEOUT_MS, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${CHECK_TIMEOUT_MS / 1000} seconds`)
  })
  try {
    return await Promise.race([find(), late])
  } catch (error) {
    return [problem(check, getErrorMessage(error), 'See what the message says.')]
  } finally {
    stop.abort()
    late.catch(() => {})
  }
}
