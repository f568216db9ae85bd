import type { Location } from '../base/json-reader.ts'

/** A request without its transport. */
export interface Call {
  readonly method: string
  /** Without the version prefix and still percent-encoded: `/sobjects/Account/001...`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Parsed JSON; undefined when the call has none. */
  readonly body: unknown
  /** The body as it comes, of a route that takes bytes; then there is no JSON. */
  readonly bytes?: AsyncIterable<Uint8Array> | undefined
  /** The location of a value in the text of the body, for messages. */
  readonly locate: (path: readonly (string | number)[]) => Location
}

/**
 * The header of the platform by its name without prefix: `query-options` is `Svc-Query-Options`, or its twin under
 * the vendor's name that stock clients send. (docs/reference/api/records.md#request-headers)
 */
export function optionHeader(call: Pick<Call, 'headers'>, name: string): string | undefined {
  return call.headers[`svc-${name}`] ?? call.headers[`sforce-${name}`]
}
