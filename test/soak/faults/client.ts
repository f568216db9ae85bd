import type { Agent } from 'node:http'
import { V64 } from '../../support/composite.ts'
import { type HttpAnswer, sendHttp } from './http-call.ts'
import type { Effect } from './write-book.ts'

/** An answer as the load looks at it. */
export interface Answer {
  readonly label: string
  readonly isOk: boolean
  readonly effect: Effect
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
  readonly text: string
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function getEffect({ status, retryAfter }: HttpAnswer): Effect {
  if (typeof status === 'string') return status === 'no server' ? 'refused' : 'unknown'
  if (status < 300) return 'done'
  // Without the header a 503 says that the outcome is unknown.
  if (status === 503) return retryAfter === undefined ? 'unknown' : 'refused'
  return status < 500 ? 'refused' : 'unknown'
}

/** `503?` is one whose outcome is unknown. */
function makeLabel({ status }: HttpAnswer, effect: Effect, code: string | undefined): string {
  if (status === 503) return effect === 'unknown' ? '503?' : '503'
  return typeof status === 'number' && status >= 400 ? `${status} ${code ?? ''}`.trim() : String(status)
}

function makeAnswer(http: HttpAnswer): Answer {
  const body = parse(http.text)
  const effect = getEffect(http)
  const code = body?.[0]?.errorCode ?? body?.error
  return { label: makeLabel(http, effect, code), isOk: effect === 'done', effect, body, text: http.text }
}

/** Somebody who calls one org. */
export class Client {
  readonly #address: string
  readonly #token: string
  readonly #limitMs: number
  readonly #agent: Agent

  constructor(address: string, token: string, limitMs: number, agent: Agent) {
    this.#address = address
    this.#token = token
    this.#limitMs = limitMs
    this.#agent = agent
  }

  /** @param path below `/services/data/v64.0` unless it begins with /services or /setup */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const http = await sendHttp(this.#address + (/^\/(services|setup)\//.test(path) ? path : V64 + path), {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      limitMs: this.#limitMs,
      agent: this.#agent,
    })
    return makeAnswer(http)
  }

  query(soql: string): Promise<Answer> {
    return this.call('GET', `/query?q=${encodeURIComponent(soql)}`)
  }

  /** All steps or none. An answer of 200 says in its steps what became of them. */
  async composite(compositeRequest: readonly object[]): Promise<Answer> {
    const answer = await this.call('POST', '/composite', { allOrNone: true, compositeRequest })
    if (!answer.isOk) return answer
    const results: { httpStatusCode: number; body: unknown }[] = answer.body.compositeResponse
    const failed = results.filter(({ httpStatusCode }) => httpStatusCode >= 300)
    if (failed.length === 0) return answer
    if (failed.length < results.length) {
      return { ...answer, label: '200 in part', isOk: false, effect: 'unknown' }
    }
    const reporting =
      results.find(({ body }) => !JSON.stringify(body).includes('PROCESSING_HALTED')) ?? results[0]!
    const code = (reporting.body as { errorCode?: string }[])[0]?.errorCode
    return {
      ...answer,
      label: `200 with ${reporting.httpStatusCode} ${code}`,
      isOk: false,
      effect: 'refused',
    }
  }

  async token(credentials: Readonly<Record<'clientId' | 'clientSecret', string>>): Promise<Answer> {
    const http = await sendHttp(`${this.#address}/services/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
      }).toString(),
      limitMs: this.#limitMs,
      agent: this.#agent,
    })
    return makeAnswer(http)
  }

  /** The same caller with another token. */
  with(token: string): Client {
    return new Client(this.#address, token, this.#limitMs, this.#agent)
  }
}
