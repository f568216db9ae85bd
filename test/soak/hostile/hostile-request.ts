/** A request that is sent as it stands: HTTP or something like it. */
export interface HostileRequest {
  readonly name: string
  /** Its row in the table. */
  readonly kind: string
  readonly listener: 'main' | 'site'
  /** Bytes for the connection, made when they are sent. */
  readonly bytes: () => Iterable<string | Buffer> | AsyncIterable<string | Buffer>
  /** True if the sending side is closed when nothing has come back for a while: the server may wait for more. */
  readonly mayBeIncomplete?: boolean
  /** How long it may take, in milliseconds, where that is not the bound of every call. */
  readonly limitMs?: number
}

export interface Written {
  readonly name: string
  readonly kind: string
  readonly listener?: 'main' | 'site'
  readonly method: string
  readonly path: string
  /** Several lines of one name: `[name, value][]`. */
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly body?: (() => string | Buffer) | undefined
}

const makeLines = (headers: NonNullable<Written['headers']>) =>
  (Array.isArray(headers) ? headers : Object.entries(headers)).map(([name, value]) => `${name}: ${value}\r\n`)

/** A request with a head that is written out, whatever a client would say about it. */
export function written({
  name,
  kind,
  listener = 'main',
  method,
  path,
  headers = {},
  body,
}: Written): HostileRequest {
  return {
    name,
    kind,
    listener,
    *bytes() {
      const content = body === undefined ? undefined : Buffer.from(body())
      const length = content === undefined ? '' : `content-length: ${content.length}\r\n`
      const lines = makeLines(headers).join('')
      const host = /^host:/im.test(lines) ? '' : 'host: 127.0.0.1\r\n'
      yield `${method} ${path} HTTP/1.1\r\n${host}connection: close\r\n${lines}${length}\r\n`
      if (content !== undefined) yield content
    },
  }
}
