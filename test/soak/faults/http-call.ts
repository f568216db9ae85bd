import { Agent, request } from 'node:http'

export interface HttpAnswer {
  /** `cut`: the connection broke before the answer was complete; `no server`: nobody listens; `hang`: nothing came. */
  readonly status: number | 'cut' | 'no server' | 'hang'
  readonly retryAfter?: string | undefined
  readonly text: string
}

export interface HttpCall {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** After which nobody waits any more, in milliseconds. */
  readonly limitMs: number
  /** Default: a new connection for each call. */
  readonly agent?: Agent
}

/** Keeps as many connections as calls are under way. */
export const makeAgent = () => new Agent({ keepAlive: true })

/** Sends a call and never throws: a connection that breaks is an answer too. */
export function sendHttp(url: string, { limitMs, body, agent, ...options }: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: error.code === 'ECONNREFUSED' ? 'no server' : 'cut', text: error.message })
    const sent = request(url, { ...options, agent: agent ?? false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('error', fail).on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'], text })
      })
    })
    const timer = setTimeout(() => {
      resolve({ status: 'hang', text: `no answer within ${limitMs} ms` })
      sent.destroy()
    }, limitMs)
    sent.on('error', (error) => {
      clearTimeout(timer)
      fail(error)
    })
    sent.end(body)
  })
}
