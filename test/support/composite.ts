import assert from 'node:assert/strict'
import type { Answer, TestOrg } from './org.ts'

/** Prefix of the paths of steps. */
export const V64 = '/services/data/v64.0'

export interface Subrequest {
  readonly method: string
  readonly url: string
  readonly referenceId?: string | undefined
  readonly body?: unknown
  readonly httpHeaders?: unknown
}

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
  readonly httpHeaders: Readonly<Record<string, string>>
  readonly httpStatusCode: number
  readonly referenceId: string | null
}

/** A step below `/services/data/v64.0`, named `r1`, `r2`, ... by its place unless it has a name. */
export const step = (method: string, path: string, body?: unknown, referenceId?: string): Subrequest => ({
  method,
  url: `${V64}${path}`,
  body,
  referenceId,
})

/** As they go over the wire. */
export const named = (steps: readonly Subrequest[]) =>
  steps.map((one, index) => ({ ...one, referenceId: one.referenceId ?? `r${index + 1}` }))

interface Options {
  readonly allOrNone?: boolean | undefined
  /** Of the composite as a whole. */
  readonly version?: string
}

export function post(o: TestOrg, steps: readonly Subrequest[], options: Options = {}): Promise<Answer> {
  const { allOrNone, version = '64.0' } = options
  const body = { allOrNone, compositeRequest: named(steps) }
  return o.call('POST', `/services/data/v${version}/composite`, { body })
}

/** The results of a composite that is answered with 200, as it must be. */
export async function fetchResults(
  o: TestOrg,
  steps: readonly Subrequest[],
  options?: Options,
): Promise<Result[]> {
  const answer = await post(o, steps, options)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['compositeResponse'])
  const results: Result[] = answer.body.compositeResponse
  assert.deepEqual(
    results.map(({ referenceId }) => referenceId),
    named(steps).map(({ referenceId }) => referenceId),
  )
  return results
}

export const statusesOf = (results: readonly Result[]) => results.map(({ httpStatusCode }) => httpStatusCode)

/** The result of a step whose transaction was rolled back because of another one. */
export const ROLLED_BACK = {
  httpHeaders: {},
  httpStatusCode: 400,
  body: [
    {
      message: 'The transaction was rolled back since another operation in the same transaction failed.',
      errorCode: 'PROCESSING_HALTED',
      fields: [],
    },
  ],
}

/** The text about a reference that has no value. */
export const noValue = (expression: string, name = expression.split(/[.[]/)[0]) =>
  `Invalid reference specified. No value for ${expression} found in ${name}. Provided referenceId ('${expression}') must start with a letter or a number, and it can contain only letters, numbers and underscores ('_').`

/** The step was not carried out, with this message. */
export function assertHalted({ httpStatusCode, httpHeaders, body }: Result, message: string): void {
  assert.deepEqual(
    { httpStatusCode, httpHeaders, body },
    { httpStatusCode: 400, httpHeaders: {}, body: [{ message, errorCode: 'PROCESSING_HALTED', fields: [] }] },
  )
}
