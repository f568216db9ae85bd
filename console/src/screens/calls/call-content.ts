import type { WholeCall } from '../../../../src/calllog/logged-call.ts'

const MAX_MESSAGES = 20

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Returns the messages of errors in a kept answer, those of operations inside of the call too. */
export function messagesOf({ response }: Pick<WholeCall, 'response'>): readonly string[] {
  const messages = new Set<string>()
  const look = (value: unknown, isError: boolean) => {
    if (Array.isArray(value)) {
      for (const one of value) look(one, isError)
    } else if (isObject(value)) {
      const { message, errorCode, statusCode, error_description: described } = value
      const isCoded = errorCode !== undefined || statusCode !== undefined
      if (typeof message === 'string' && (isCoded || isError)) messages.add(message.trim())
      if (typeof described === 'string') messages.add(described)
      for (const [name, inside] of Object.entries(value)) look(inside, name === 'errors')
    }
  }
  look(response?.body, false)
  return [...messages].slice(0, MAX_MESSAGES)
}

export interface CallQuery {
  readonly text: string
  /** The language of the console's screen Query; undefined is that of queries. */
  readonly language: 'sosl' | 'graphql' | undefined
}

/** The query that a kept call has asked, from its address or its body. */
export function queryOf({ route, request }: Pick<WholeCall, 'route' | 'request'>): CallQuery | undefined {
  const asked = new URLSearchParams(request?.query).get('q')
  const isSearch = /\/search$/.test(route)
  if (asked !== null && (isSearch || /\/query(All)?$/.test(route)))
    return { text: asked, language: isSearch ? 'sosl' : undefined }
  const body = request?.body
  if (/\/graphql$/.test(route) && isObject(body) && typeof body.query === 'string')
    return { text: body.query, language: 'graphql' }
  return undefined
}
