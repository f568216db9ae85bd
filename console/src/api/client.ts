import { accessToken, renewQuietly } from './sign-in.ts'

/* Every call of the console goes through `send`: with the token, once more after a session was renewed, and remembered. */

export interface Problem {
  readonly message: string
  readonly errorCode: string
  readonly fields: readonly string[]
}

/** An answer that is no success, or none at all: then the status is 0. */
export class CallError extends Error {
  readonly status: number
  readonly problems: readonly Problem[]
  readonly requestId: string | undefined
  readonly method: string
  readonly path: string

  constructor(
    method: string,
    path: string,
    status: number,
    problems: readonly Problem[],
    requestId?: string,
  ) {
    super(problems.map(({ message }) => message).join('\n'))
    this.name = 'CallError'
    this.method = method
    this.path = path
    this.status = status
    this.problems = problems
    this.requestId = requestId
  }

  get code(): string {
    return this.problems[0]?.errorCode ?? `HTTP_${this.status}`
  }
}

export interface Sent {
  readonly method?: string
  /** Sent as JSON, unless it is a text or bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined when the text is no JSON. */
  readonly body: T
  readonly durationMs: number
  readonly bytes: number
  readonly requestId: string | undefined
}

/** How the session is renewed when the refresh token cannot: the frame asks the user, and the call waits. */
let askToLogIn: () => Promise<boolean> = async () => false
export function onSessionEnd(ask: () => Promise<boolean>): void {
  askToLogIn = ask
}

let version = '68.0'
/** The newest version of the server, as in `v68.0`. */
export const apiVersion = (): string => version

export async function loadVersion(): Promise<void> {
  const versions: { version: string }[] = await (await fetch('/services/data')).json()
  version = versions.at(-1)?.version ?? version
}

/** A path of the data API: `data('/query?q=...')`. */
export const data = (path: string): string => `/services/data/v${version}${path}`

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isProblem = (value: unknown): value is { message: string; errorCode?: string; fields?: string[] } =>
  typeof value === 'object' && value !== null && typeof (value as Problem).message === 'string'

/** Reads the problems of a refusal in the form of each part of the interface. */
function readProblems(status: number, body: unknown, text: string): Problem[] {
  const list = (Array.isArray(body) ? body : [body]).filter(isProblem)
  if (list.length > 0)
    return list.map(({ message, errorCode, fields }) => ({
      message,
      errorCode: errorCode ?? `HTTP_${status}`,
      fields: fields ?? [],
    }))
  return [
    {
      message: text.slice(0, 500) || `The server answered with ${status}.`,
      errorCode: `HTTP_${status}`,
      fields: [],
    },
  ]
}

async function request(path: string, { method = 'GET', body, headers, signal }: Sent): Promise<Answer> {
  const isPlain = body === undefined || typeof body === 'string' || body instanceof Blob
  const all = new Headers({
    Authorization: `Bearer ${accessToken()}`,
    ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
  })
  for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value)
  const startedAt = performance.now()
  let response: Response
  let text: string
  try {
    response = await fetch(path, {
      method,
      // Answers are of one moment; and with its cache a browser lets the same call wait for an earlier one.
      cache: 'no-store',
      headers: all,
      ...(body !== undefined && {
        body: isPlain || body instanceof FormData ? (body as string) : JSON.stringify(body),
      }),
      ...(signal !== undefined && { signal }),
    })
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    const message = 'The server does not answer. What was sent may have been carried out.'
    throw new CallError(method, path, 0, [{ message, errorCode: 'NO_ANSWER', fields: [] }])
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parse(text),
    durationMs: performance.now() - startedAt,
    bytes: new Blob([text]).size,
    requestId: response.headers.get('x-request-id') ?? undefined,
  }
}

/** True if the answer says that the session has ended; other answers of 401 do not. */
const isSessionEnd = ({ status, body }: Answer) =>
  status === 401 && Array.isArray(body) && body[0]?.errorCode === 'INVALID_SESSION_ID'

const hasOwnToken = ({ headers = {} }: Sent) =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')

/** A call as it is, whatever its status. */
export async function send(path: string, sent: Sent = {}): Promise<Answer> {
  const answer = await request(path, sent)
  // A token of the caller's own has nothing to do with the session of the console.
  if (!isSessionEnd(answer) || hasOwnToken(sent)) return answer
  if ((await renewQuietly()) || (await askToLogIn())) return request(path, sent)
  return answer
}

/** A refusal as the error that it is. */
export const refusalOf = (
  method: string,
  path: string,
  status: number,
  body: unknown,
  { text = '', requestId }: { readonly text?: string; readonly requestId?: string | undefined } = {},
): CallError => new CallError(method, path, status, readProblems(status, body, text), requestId)

/**
 * A call that has to succeed.
 * @throws CallError
 */
export async function call<T>(path: string, sent: Sent = {}): Promise<Answer<T>> {
  const answer = await send(path, sent)
  if (answer.status >= 400 || answer.status === 300)
    throw refusalOf(sent.method ?? 'GET', path, answer.status, answer.body, answer)
  return answer as Answer<T>
}

/** The body of a call that has to succeed. */
export async function get<T>(path: string, sent: Sent = {}): Promise<T> {
  return (await call<T>(path, sent)).body
}
