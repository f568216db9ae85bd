/** A request that is sent to the server. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/services/data/v66.0` unless it starts with `/services`. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Something of a request that grows, while everything else stays. */
export interface Dimension {
  readonly name: string
  /** The largest; the others are a half, a quarter and an eighth of it. */
  readonly size: number
  readonly make: (size: number) => Sent
  /** It measures nothing when it is refused. */
  readonly mustSucceed?: boolean
}

export const repeat = (size: number, text: (i: number) => string, separator = ' ') =>
  Array.from({ length: size }, (_, i) => text(i)).join(separator)

/** A query, inside a batch because it may be longer than an address. */
export const query = (soql: string): Sent => ({
  method: 'POST',
  path: '/composite/batch',
  body: { batchRequests: [{ method: 'GET', url: `v66.0/query?q=${encodeURIComponent(soql)}` }] },
})

export const where = (condition: string): Sent => query(`SELECT Id FROM Account WHERE ${condition}`)

export const get = (path: string, headers?: Sent['headers']): Sent => ({ method: 'GET', path, headers })

export const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body })

export const graphql = (document: string, variables?: object): Sent =>
  post('/graphql', { query: document, variables })
