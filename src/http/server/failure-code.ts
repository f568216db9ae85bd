import type { Reply } from '../../calls/reply.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const listIn = (body: unknown, name: string): readonly unknown[] => {
  const list = isObject(body) ? body[name] : undefined
  return Array.isArray(list) ? list : []
}

/** The code of an array of errors. */
function codeOf(errors: unknown): string {
  const [first] = Array.isArray(errors) ? errors : []
  return isObject(first) ? String(first.errorCode ?? '') : ''
}

/** The subrequests of composites, graphs and batches: their status and what they say. */
function* stepsIn(body: unknown): Generator<{ readonly status: unknown; readonly body: unknown }> {
  for (const step of listIn(body, 'compositeResponse')) {
    if (isObject(step)) yield { status: step.httpStatusCode, body: step.body }
  }
  for (const graph of listIn(body, 'graphs')) if (isObject(graph)) yield* stepsIn(graph.graphResponse)
  for (const step of listIn(body, 'results')) {
    if (isObject(step)) yield { status: step.statusCode, body: step.result }
  }
}

/**
 * The code of what went wrong in a call: of the call itself, else of the first step that failed; a batch that was halted is
 * told as that. Empty: nothing did.
 */
export function findFailureCode({ status, body }: Reply): string {
  if (status >= 400) return codeOf(body)
  let first = ''
  for (const step of stepsIn(body)) {
    if (Number(step.status) < 400) continue
    const code = codeOf(step.body)
    if (code === 'BATCH_PROCESSING_HALTED') return code
    first ||= code
  }
  return first
}
