import assert from 'node:assert/strict'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, inflateSync } from 'node:zlib'
import type { Answer } from './org.ts'

type Headers = Readonly<Record<string, string>>

/** How a client that is no package of ours writes its requests. */
interface Habits {
  /** Headers of every request. */
  headers(token: string): Headers
  /** Further headers of a request with a body. */
  readonly withBody?: Headers
  /** It counts the bytes of a body that is not there, as Python's requests does for all but GET. */
  readonly countsNothing?: boolean
  /** The version that it speaks unless it is told another one. */
  readonly version: string
}

const JSON_BODY = { 'Content-Type': 'application/json' }
const PYTHON = {
  'User-Agent': 'python-requests/2.32.5',
  'Accept-Encoding': 'gzip, deflate',
  Accept: '*/*',
  Connection: 'keep-alive',
}
const GO = { 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' }
const RUBY = {
  'User-Agent': 'Faraday v2.14.0',
  'Accept-Encoding': 'gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
  Accept: '*/*',
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const oauth = (token: string) => ({ Authorization: `OAuth ${token}` })

/** The requests of each client as its source makes them, down to the spelling of the headers. */
const HABITS = {
  jsforce: { headers: bearer, withBody: JSON_BODY, version: '50.0' },
  sf: {
    headers: (token) => ({
      ...bearer(token),
      'content-type': 'application/json',
      'user-agent': 'sfdx toolbelt:',
      'Sforce-Call-Options': 'client=sfdx toolbelt:',
    }),
    version: '64.0',
  },
  simpleSalesforce: {
    headers: (token) => ({ ...PYTHON, ...JSON_BODY, ...bearer(token), 'X-PrettyPrint': '1' }),
    countsNothing: true,
    version: '59.0',
  },
  restforce: { headers: (token) => ({ ...RUBY, ...oauth(token) }), withBody: JSON_BODY, version: '62.0' },
  goSalesforce: {
    headers: (token) => ({ ...GO, ...JSON_BODY, Accept: 'application/json', ...bearer(token) }),
    version: '63.0',
  },
  airbyte: { headers: (token) => ({ ...PYTHON, ...bearer(token) }), version: '62.0' },
  tap: { headers: (token) => ({ ...PYTHON, ...bearer(token) }), withBody: JSON_BODY, version: '61.0' },
  djangoSalesforce: {
    headers: (token) => ({ ...PYTHON, ...oauth(token) }),
    withBody: JSON_BODY,
    countsNothing: true,
    version: '66.0',
  },
  n8n: {
    headers: (token) => ({ ...JSON_BODY, Accept: 'application/json', 'User-Agent': 'n8n', ...bearer(token) }),
    version: '59.0',
  },
  nforce: {
    headers: (token) => ({ ...bearer(token), Accept: 'application/json' }),
    withBody: JSON_BODY,
    version: '64.0',
  },
} satisfies Record<string, Habits>

export type WireClientName = keyof typeof HABITS

interface Sent {
  /** Is sent as JSON, bytes as they are. */
  readonly body?: unknown
  readonly headers?: Headers | undefined
}

export interface WireClient {
  /** The beginning of its paths. */
  readonly base: string
  /** A request; the path goes out as it stands here, below `base` unless it starts with /services or slashes. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>
  get(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
}

/** A body as these clients' HTTP packages unpack it. */
function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || bytes.length === 0) return bytes
  assert.ok(encoding === 'gzip' || encoding === 'deflate', encoding)
  return encoding === 'gzip' ? gunzipSync(bytes) : inflateSync(bytes)
}

/** One request over a connection of its own, with exactly these headers beside `Host`. */
async function exchange(address: string, method: string, path: string, headers: Headers, bytes?: Buffer) {
  const { hostname, port } = new URL(address)
  const sent = request({ hostname, port, method, path, headers, agent: false })
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      buffer(response).then((packed) => {
        const text = unpacked(packed, response.headers['content-encoding']).toString()
        const json = response.headers['content-type']?.startsWith('application/json') && text !== ''
        const body = json ? JSON.parse(text) : undefined
        resolve({ status: response.statusCode!, headers: response.headers, body, text })
      }, reject)
    })
  })
  sent.end(bytes)
  return answer
}

const makeBytes = (body: unknown) => (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)))

/** A client that has signed in. Nothing of it is ours to run, so its requests are written here. */
export function wireClient(name: WireClientName, address: string, token: string): WireClient {
  const habits: Habits = HABITS[name]
  const base = `/services/data/v${habits.version}`
  const send: WireClient['send'] = (method, path, { body, headers } = {}) => {
    const bytes = body === undefined ? undefined : makeBytes(body)
    const counted = bytes !== undefined || (habits.countsNothing && method !== 'GET')
    const all = {
      ...habits.headers(token),
      ...(bytes !== undefined && habits.withBody),
      ...(counted && { 'Content-Length': String(bytes?.length ?? 0) }),
      ...headers,
    }
    const whole = /^\/(services|id)?\//.test(path) ? path : `${base}${path}`
    return exchange(address, method, whole, all, bytes)
  }
  return {
    base,
    send,
    get: (path, headers) => send('GET', path, { headers }),
    post: (path, body) => send('POST', path, { body }),
    patch: (path, body) => send('PATCH', path, { body }),
  }
}
