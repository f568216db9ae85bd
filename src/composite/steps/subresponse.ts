import type { Reply } from '../../calls/reply.ts'
import type { Step } from './subrequest.ts'

/** One element of a composite response. (docs/reference/api/composite.md#results) */
export interface Subresponse {
  readonly body: unknown
  readonly httpHeaders: Readonly<Record<string, string>>
  readonly httpStatusCode: number
  readonly referenceId: string | null
}

/** Headers that say something about the record or the describe, not about the transport. */
const REPORTED = ['Location', 'ETag', 'Last-Modified']

/** The reply of the resource as it stands by itself. A failed one has no headers. */
export function makeSubresponse({ referenceId }: Pick<Step, 'referenceId'>, reply: Reply): Subresponse {
  const headers = reply.status < 400 ? Object.entries(reply.headers ?? {}) : []
  return {
    body: reply.body ?? null,
    httpHeaders: Object.fromEntries(headers.filter(([name]) => REPORTED.includes(name))),
    httpStatusCode: reply.status,
    referenceId,
  }
}
