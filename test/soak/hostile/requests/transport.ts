import { setTimeout as sleep } from 'node:timers/promises'
import { type HostileRequest, written } from '../hostile-request.ts'
import type { Location } from '../place.ts'

const DATA = '/services/data/v64.0'

/** Requests whose HTTP itself is odd. */
export function transportRequests({ token }: Location): HostileRequest[] {
  const auth = `Authorization: Bearer ${token}\r\n`
  const raw = (name: string, ...pieces: (string | Buffer)[]): HostileRequest[] =>
    (['main', 'site'] as const).map((listener) => ({
      name: `${name} (${listener})`,
      kind: 'transport',
      listener,
      mayBeIncomplete: true,
      bytes: () => pieces,
    }))
  const host = 'Host: 127.0.0.1\r\n'
  const end = 'Connection: close\r\n\r\n'
  const get = `GET ${DATA}/limits HTTP/1.1\r\n${host}${auth}`
  const post = `POST ${DATA}/sobjects/Account HTTP/1.1\r\n${host}${auth}Content-Type: application/json\r\nConnection: close\r\n`
  return [
    ...raw('300 headers', get, ...Array.from({ length: 300 }, (_, i) => `x-${i}: ${i}\r\n`), end),
    ...raw('3,000 headers', get, 'a: b\r\n'.repeat(3000), end),
    ...raw('a header of 240 kB', get, `a: ${'b'.repeat(240_000)}\r\n`, end),
    ...raw('a header of 2 MB', get, `a: ${'b'.repeat(2_000_000)}\r\n`, end),
    ...raw('an address of 250 kB', `GET /${'a'.repeat(250_000)} HTTP/1.1\r\n${host}${end}`),
    ...raw(
      'an address of 32 kB',
      `GET ${DATA}/query?q=${'a'.repeat(32_700)} HTTP/1.1\r\n${host}${auth}${end}`,
    ),
    ...raw(
      'another host in the address',
      `GET http://other.example.com${DATA}/limits HTTP/1.1\r\n${host}${auth}${end}`,
    ),
    ...raw(
      'another host behind a user',
      `GET http://a:b@other.example.com/services/customrest/echo HTTP/1.1\r\n${host}${end}`,
    ),
    ...raw('an address without a path', `GET http://other HTTP/1.1\r\n${host}${end}`),
    ...raw('an address of another scheme', `GET ftp://other/ HTTP/1.1\r\n${host}${end}`),
    ...raw('only an authority', `CONNECT other:443 HTTP/1.1\r\n${host}${end}`),
    ...raw('an asterisk', `OPTIONS * HTTP/1.1\r\n${host}${end}`),
    ...raw('no host', `GET ${DATA} HTTP/1.1\r\n${end}`),
    ...raw('two hosts', `GET ${DATA} HTTP/1.1\r\n${host}Host: other\r\n${end}`),
    ...raw('an odd host', `GET /services/customrest/echo HTTP/1.1\r\nHost: ]\u0000[:x%\r\n${end}`),
    ...raw('a long host', `GET /services/customrest/echo HTTP/1.1\r\nHost: ${'a.'.repeat(50_000)}\r\n${end}`),
    ...raw('a host of the language', `GET /services/customrest/echo HTTP/1.1\r\nHost: __proto__\r\n${end}`),
    ...raw('two lengths', post, 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    ...raw(
      'a length and chunks',
      post,
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ),
    ...raw('a negative length', post, 'Content-Length: -1\r\n\r\n{}'),
    ...raw('an endless length', post, `Content-Length: ${'9'.repeat(300)}\r\n\r\n{}`),
    ...raw('a length above the limit', post, 'Content-Length: 99999999999\r\n\r\n{}'),
    ...raw('a body that is less than its length', post, 'Content-Length: 100\r\n\r\n{}'),
    ...raw(
      'chunks with extensions',
      post,
      `Transfer-Encoding: chunked\r\n\r\n2;${'a=b;'.repeat(5000)}\r\n{}\r\n0\r\n\r\n`,
    ),
    ...raw(
      'chunks of one byte',
      post,
      'Transfer-Encoding: chunked\r\n\r\n',
      '1\r\n \r\n'.repeat(300_000),
      '0\r\n\r\n',
    ),
    ...raw('a chunk of a false size', post, 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'),
    ...raw('a chunk of a huge size', post, `Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n{}`),
    ...raw(
      'trailers',
      post,
      `Transfer-Encoding: chunked\r\nTrailer: a\r\n\r\n2\r\n{}\r\n0\r\n${'a: b\r\n'.repeat(3000)}\r\n`,
    ),
    ...raw('an unknown transfer encoding', post, 'Transfer-Encoding: gzip, identity\r\n\r\n{}'),
    ...raw('Expect: 100-continue', post, 'Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}'),
    ...raw('Expect: something', post, 'Content-Length: 2\r\nExpect: a miracle\r\n\r\n{}'),
    ...raw(
      'an upgrade',
      `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n`,
      end,
    ),
    ...raw('an upgrade to HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    ...raw('TLS', Buffer.from('160301020001000001fc0303', 'hex')),
    ...raw('a thousand requests at once', `${get}\r\n`.repeat(999), `${get}${end}`),
    ...raw(
      'a thousand requests without token',
      `GET ${DATA}/limits HTTP/1.1\r\n${host}\r\n`.repeat(999),
      `GET / HTTP/1.1\r\n${host}${end}`,
    ),
    ...raw(
      'a thousand requests that are not found',
      `GET /nowhere HTTP/1.1\r\n${host}\r\n`.repeat(999),
      `GET / HTTP/1.1\r\n${host}${end}`,
    ),
    ...raw('zeros', Buffer.alloc(1_000_000)),
    ...raw('line ends', '\r\n'.repeat(100_000)),
    ...raw('a folded header', get, 'a: b\r\n c\r\n', end),
    ...raw('bare line feeds', `GET ${DATA} HTTP/1.1\nHost: a\n\n`),
    ...raw('HTTP/0.9', 'GET /\r\n'),
    ...raw('HTTP/9.9', `GET / HTTP/9.9\r\n${end}`),
    ...[
      'TRACE',
      'PROPFIND',
      'LINK',
      'M-SEARCH',
      'QUERY',
      'PURGE',
      'NONSENSE',
      'get',
      'OPTIONS',
      'HEAD',
    ].flatMap((method) =>
      raw(`the method ${method}`, `${method} ${DATA}/sobjects/Account HTTP/1.1\r\n${host}${auth}${end}`),
    ),
  ]
}

/** Addresses below the endpoints that are not documented. */
export function addressRequests({ token, accountId }: Location): HostileRequest[] {
  const headers = { authorization: `Bearer ${token}` }
  const paths = [
    '/services/data/v64.0/../../../../etc/passwd',
    '/services/data/v64.0/%2e%2e/%2e%2e/setup/orgs',
    '/services/data/v64.0/..%2f..%2fsetup',
    '/services/data/v99999999999999999999.0/limits',
    '/services/data/v-1.0/limits',
    '/services/data/v64.00000000000000/limits',
    '/services/data/v6e1.0/limits',
    `/services/data/v${'6'.repeat(10_000)}.0/limits`,
    '/services/data/v64.0/sobjects/__proto__',
    '/services/data/v64.0/sobjects/constructor/describe',
    '/services/data/v64.0/sobjects/Account/%00',
    '/services/data/v64.0/sobjects/Account/%ff%fe',
    '/services/data/v64.0/sobjects/Account/%ED%A0%80',
    '/services/data/v64.0/sobjects/Account/%',
    `/services/data/v64.0/sobjects/Account/${'a'.repeat(30_000)}`,
    `/services/data/v64.0/sobjects/Account/${accountId}/${'Parent/'.repeat(4000)}`,
    `/services/data/v64.0/sobjects/Account/${accountId}/__proto__/constructor`,
    `/services/data/v64.0/sobjects/Account/Name/${encodeURIComponent("' OR 1=1 --")}`,
    `/services/data/v64.0/sobjects/Account/${accountId}?fields=${'('.repeat(20_000)}`,
    `/services/data/v64.0/sobjects/Account/${accountId}?fields=${'Parent.'.repeat(4000)}Name`,
    '/services/data/v64.0/sobjects/Account/updated?start=0000-00-00T00:00:00Z&end=9999-99-99T99:99:99Z',
    `/services/data/v64.0/sobjects/Account/updated?start=${'1'.repeat(10_000)}&end=x`,
    '/services/data/v64.0/sobjects/Account/deleted?start=-271821-04-20T00:00:00Z&end=%2B275760-09-13T00:00:00Z',
    `/services/data/v64.0/compactLayouts?q=${'Account,'.repeat(4000)}`,
    `/services/data/v64.0/limits/recordCount?sObjects=${'Account,'.repeat(4000)}`,
    '/services/data/v64.0/recent?limit=99999999999999999999',
    '/services/data/v64.0/query/01g000000000000AAA-99999999999999999999',
    `/services/data/v64.0/query/${'0'.repeat(30_000)}`,
    `/services/data/v64.0/query?explain=${'SELECT '.repeat(4000)}`,
    `/services/data/v64.0/query?explain=${encodeURIComponent("SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact) AND Name LIKE '%a%'")}&statement=true`,
    `/services/data/v64.0/query?q=${encodeURIComponent(`SELECT Id FROM Account WHERE Name = '${'\\u0000'}'`)}`,
    `/services/data/v64.0/sobjects/Account/listviews/${'0'.repeat(20_000)}/results?limit=1e9&offset=-1`,
    `/services/data/v64.0/sobjects/Account/defaultValues?fields=${'a,'.repeat(14_000)}`,
    '/services/customrest/%2e%2e/%2e%2e/etc/passwd',
    `/services/customrest/${'a/'.repeat(15_000)}`,
    '/services/customrest/echo?__proto__=1&constructor=2',
    '/setup/orgs/%00',
    '/setup/orgs/current/webhooks/deliveries?limit=NaN&status=__proto__',
    '/id/00D000000000000/../..',
    '/id/%ff/%00',
    '/.well-known/../setup/orgs',
    '/login?retURL=//evil.example.com/%0d%0aSet-Cookie:a=b',
    `/login?retURL=${'/'.repeat(30_000)}`,
    '/services/oauth2/authorize?__proto__[x]=1',
    '/metrics/../../x',
    `/${'%2f'.repeat(10_000)}`,
    '/%',
    '//////////////////////////',
  ]
  return paths.map((path) => {
    const short = path.length > 90 ? `${path.slice(0, 90)}...` : path
    return written({ name: `GET ${short}`, kind: 'addresses', method: 'GET', path, headers })
  })
}

/** Clients that take their time. The server ends them when it has waited long enough. */
export function slowRequests({ token }: Location): HostileRequest[] {
  const SLOW_LIMIT_MS = 110_000
  const drip = (name: string, head: string, piece: string): HostileRequest => ({
    name,
    kind: 'slow clients',
    listener: 'main',
    limitMs: SLOW_LIMIT_MS,
    async *bytes() {
      yield head
      for (;;) {
        await sleep(1000)
        yield piece
      }
    },
  })
  const auth = `Host: a\r\nAuthorization: Bearer ${token}\r\n`
  return [
    drip('headers that come byte by byte', `GET ${DATA}/limits HTTP/1.1\r\n${auth}`, 'a: b\r\n'),
    drip('an address that comes byte by byte', 'GET /', 'a'),
    drip(
      'a body of an unknown caller that comes byte by byte',
      `POST ${DATA}/sobjects/Account HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n`,
      ' ',
    ),
    {
      name: 'a connection without a word',
      kind: 'slow clients',
      listener: 'main',
      limitMs: SLOW_LIMIT_MS,
      bytes: () => [],
    },
    {
      name: 'half a request line',
      kind: 'slow clients',
      listener: 'site',
      limitMs: SLOW_LIMIT_MS,
      bytes: () => ['GET /servi'],
    },
  ]
}
