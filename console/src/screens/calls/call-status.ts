import type { LoggedCall } from '../../../../src/calllog/logged-call.ts'

/** True if a call has succeeded, and an operation inside of it has not. */
export const isPartial = ({ status, errorCode }: LoggedCall): boolean =>
  status >= 200 && status < 300 && errorCode !== ''

/** True if a call, or an operation inside of it, has failed. */
export const isFailed = ({ status, errorCode }: LoggedCall): boolean =>
  status >= 400 || status === 0 || errorCode !== ''

/** How a call has ended; a call of several operations may have a failure inside of a success. */
export function statusText(call: LoggedCall): string {
  if (call.status === 0) return 'cut'
  return isFailed(call) && call.status < 400 ? `${call.status}, failed` : String(call.status)
}

/** Returns the values by which a call is counted: `4xx`, and `partial` if only a part of it has succeeded. */
export const statusClasses = (call: LoggedCall): readonly string[] => [
  `${String(call.status)[0]}xx`,
  ...(isPartial(call) ? ['partial'] : []),
]
