import type { LoggedCall, WholeCall } from '../../../../src/calllog/logged-call.ts'

/* The HTTP Archive format, version 1.2, which browsers and other tools open. */

type Archived = LoggedCall & Partial<Pick<WholeCall, 'request' | 'response'>>

const pairs = (headers: Readonly<Record<string, string>> = {}) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

const JSON_TYPE = 'application/json'

function entry(call: Archived) {
  const { request, response } = call
  const query = request?.query?.replace(/^\?/, '') ?? ''
  const url = new URL(call.path, location.origin)
  url.search = query
  const hasBody = request?.body !== undefined && request.body !== null && request.body !== ''
  const isKept = response?.body !== undefined && response.body !== null
  return {
    startedDateTime: new Date(call.time).toISOString(),
    time: call.durationMs,
    request: {
      method: call.method,
      url: url.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request?.headers),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: call.bytesIn ?? -1,
      ...(hasBody && { postData: { mimeType: JSON_TYPE, text: textOf(request.body) } }),
    },
    response: {
      status: call.status,
      statusText: call.errorCode ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers),
      content: {
        size: call.bytesOut ?? -1,
        mimeType: JSON_TYPE,
        ...(isKept && { text: textOf(response.body) }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: call.bytesOut ?? -1,
    },
    cache: {},
    // The server knows only how long it took itself.
    timings: { send: -1, wait: call.durationMs, receive: -1 },
    serverIPAddress: '',
    comment: `request id ${call.requestId}`,
    _requestId: call.requestId,
    _user: call.user,
    _app: call.app,
    _statements: call.statements,
    _databaseMs: call.databaseMs,
  }
}

/** Calls as a file, the oldest first. Bodies are in it where they were kept and the call was read as a whole. */
export const asHar = (calls: readonly Archived[]): string =>
  JSON.stringify(
    {
      log: {
        version: '1.2',
        creator: { name: 'Objectry Console', version: '1' },
        entries: [...calls].sort((a, b) => a.time.localeCompare(b.time)).map(entry),
      },
    },
    null,
    2,
  )
