import { getOAuthStatus, OAuthError } from '../../auth/oauth/oauth-error.ts'
import { Html, html } from '../../auth/pages/html.ts'
import { type ApiError, serverTooBusy } from '../../base/api-error.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { type Reply, retryHeaders } from '../../calls/reply.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

const FORM_TYPE = 'application/x-www-form-urlencoded'

const XML_TYPES = ['application/xml', 'text/xml']

const FORMATS = ['json', 'urlencoded', 'xml'] as const

/** Format of a reply. */
export type Format = (typeof FORMATS)[number]

const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text)

/**
 * The format that a client asks for, by a parameter or else by the header. (docs/reference/api/tokens.md#requests)
 * @throws OAuthError invalid_request when it is another one
 */
function parseFormat(parameter: string | undefined, accept: string | undefined): Format {
  if (parameter !== undefined && parameter !== '') {
    if (isFormat(parameter)) return parameter
    throw new OAuthError('invalid_request', 'the format must be json, urlencoded or xml')
  }
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]!.trim().toLowerCase())
  const takesJson = types.some((type) => ['', '*/*', 'application/*', 'application/json'].includes(type))
  if (takesJson) return 'json'
  if (types.includes(FORM_TYPE)) return 'urlencoded'
  return types.every((type) => XML_TYPES.includes(type)) ? 'xml' : 'json'
}

/** One element for each member. */
function writeXml(texts: readonly (readonly [string, string])[]): string {
  const elements = texts.map(([name, text]) => html`<${new Html(name)}>${text}</${new Html(name)}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>${html`<OAuth>${elements}</OAuth>`.text}`
}

/** A reply of an OAuth endpoint, which no cache may keep. */
export function oauthReply(
  status: number,
  body: Readonly<Record<string, unknown>>,
  format: Format = 'json',
): Reply {
  if (format === 'json') return { status, body, headers: noStore }
  const texts = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
  const isXml = format === 'xml'
  return {
    status,
    body: isXml ? writeXml(texts) : new URLSearchParams(texts).toString(),
    headers: { ...noStore, 'Content-Type': `${isXml ? XML_TYPES[0] : FORM_TYPE};charset=UTF-8` },
  }
}

function oauthRefusal(refusal: OAuthError, format?: Format): Reply {
  const { error, description } = refusal
  const reply = oauthReply(getOAuthStatus(refusal), { error, error_description: description }, format)
  return { ...reply, headers: { ...reply.headers, ...retryHeaders(refusal) } }
}

/** Others were in the way, which no client of these endpoints takes from a code. */
const TEMPORARY: readonly ErrorCode[] = ['UNABLE_TO_LOCK_ROW', 'QUERY_TIMEOUT']

/** Refusals before the handler and failures in it have OAuth's error format too. */
export function oauthErrorReply(given: ApiError): Reply {
  const refusal = TEMPORARY.includes(given.code) ? serverTooBusy(given) : given
  const { status, message } = refusal
  const error = status < 500 ? 'invalid_request' : 'server_error'
  const reply = oauthReply(status, { error, error_description: message })
  return { ...reply, headers: { ...reply.headers, ...retryHeaders(refusal) } }
}

/** A request to an OAuth endpoint. */
interface OAuthRequest {
  readonly accept: string | undefined
  /** Parses the parameters. */
  readonly read: () => Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string>
  readonly answer: (parameters: ReadonlyMap<string, string>, format: Format) => Promise<Reply>
}

/** Replies in the format that the client wants, or refuses in OAuth's error format. */
export async function replyInOAuthFormat({ accept, read, answer }: OAuthRequest): Promise<Reply> {
  let format: Format = 'json'
  try {
    const parameters = await read()
    format = parseFormat(parameters.get('format'), accept)
    return await answer(parameters, format)
  } catch (error) {
    if (error instanceof OAuthError) return oauthRefusal(error, format)
    // The org is being deleted, or its schema changed.
    throw databaseFault(error)?.kind === 'outdated' ? serverTooBusy(error) : error
  }
}
