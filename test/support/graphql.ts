import assert from 'node:assert/strict'
import type { TestOrg } from './org.ts'

/** The result of a document. */
export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  readonly data: any
  readonly errors: readonly {
    readonly message: string
    readonly paths: readonly (string | number)[]
    readonly extensions: { readonly ErrorType: string }
  }[]
}

export interface Sent {
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string
  /** `66`: major number of the API version. */
  readonly version?: number | undefined
}

/** Sends a document; whatever the language decides comes with 200. */
export async function sendDocument(
  o: Pick<TestOrg, 'call'>,
  query: string,
  { variables, operationName, version = 66 }: Sent = {},
): Promise<Outcome> {
  const path = `/services/data/v${version}.0/graphql`
  const { status, body, text } = await o.call('POST', path, { body: { query, variables, operationName } })
  assert.equal(status, 200, text)
  return body
}

/** The same for one that has to succeed: its `uiapi`. */
export async function fetchUiapi(
  o: Pick<TestOrg, 'call'>,
  query: string,
  sent?: Sent,
): Promise<Outcome['data']> {
  const { data, errors } = await sendDocument(o, query, sent)
  assert.deepEqual(errors, [])
  return data.uiapi
}
