import { codeIn, tableRows } from '../../../modules/documented-tables.ts'
import { type HostileRequest, written } from '../hostile-request.ts'
import type { Location } from '../place.ts'
import { MEGABYTE, PACKED_JSON, pack } from './texts.ts'

const NOBODY = '001000000000000AAA'

/** Values of the parameters of documented paths. */
const parametersOf = ({ accountId }: Location): Readonly<Record<string, string>> => ({
  object: 'Account',
  id: accountId,
  key: 'Id',
  value: accountId,
  recordTypeId: '012000000000000AAA',
  view: '00B000000000000AAA',
  first: 'Owner',
  locator: '01g000000000000AAA-200',
  org: 'current',
  user: NOBODY,
  app: 'nobody',
  job: 'nobody',
  resource: 'nobody',
  number: '1',
  name: 'nobody',
})

interface DocumentedRoute {
  readonly method: string
  readonly path: string
  readonly takesBody: boolean
}

const OTHER_ENDPOINTS =
  /^\/(services|id|healthz|readyz|metrics|setup|login|logout|change-password|\.well-known)(\/|$)/

const TAKES_BODY = ['POST', 'PUT', 'PATCH']

/** Every route of the reference page. */
function documentedRoutes(location: Location): DocumentedRoute[] {
  const parameters = parametersOf(location)
  return tableRows('reference/resources.md').flatMap(([methods, cell]) => {
    if (!/^[A-Z]+(, [A-Z]+)*$/.test(methods!) || !cell!.startsWith('`/')) return []
    const documented = codeIn(cell!)
    const path = (OTHER_ENDPOINTS.test(documented) ? documented : `/services/data/v64.0${documented}`)
      .replace('...', 'echo')
      .replace(/\/\*$/, '/Owner')
      .replaceAll(/:(\w+)/g, (_, name) => parameters[name] ?? 'nobody')
    return methods!.split(', ').map((method) => ({ method, path, takesBody: TAKES_BODY.includes(method) }))
  })
}

/** True of routes that would end the attack by themselves, or take away what it needs. */
const isDestructive = ({ method, path }: DocumentedRoute) =>
  method === 'DELETE' || /\/(reset|restore|token|rotate|block|password|deactivate)$/.test(path)

const json = { 'content-type': 'application/json' }

/** Each route with texts that no caller means. */
export function requestsByRoute(location: Location): HostileRequest[] {
  const mine = { authorization: `Bearer ${location.token}` }
  const revoked = { authorization: `Bearer ${location.revokedToken}` }
  return documentedRoutes(location).flatMap((route, index) => {
    const { method, path, takesBody } = route
    const title = `${method} ${path}`
    const make = (kind: string, request: Partial<Parameters<typeof written>[0]>) =>
      written({ name: `${title}: ${kind}`, kind, method, path, ...request })
    const token = isDestructive(route) ? revoked : mine
    const common = [
      make('route, no token, odd headers', {
        headers: [
          ['if-match', '"'.repeat(5000)],
          ['if-modified-since', '1'.repeat(5000)],
          ['origin', 'https://\u00e9vil.example.com:99999/'],
          ['accept-encoding', 'gzip;q=0,'.repeat(2000)],
          ['cookie', 'a=b;'.repeat(5000)],
          ['x-request-id', '\u0001'],
        ],
      }),
      make('route, path of escapes', {
        path: `${path.replace(/[^/]*$/, '')}%00%ff%2e%2e%2f${'%25'.repeat(3000)}`,
        headers: mine,
      }),
      make('route, long query', {
        path: `${path}?q=${'('.repeat(15_000)}&${'a=%zz&'.repeat(2000)}`,
        headers: token,
      }),
    ]
    if (!takesBody) return common
    const [one, other] = [0, 1].map((i) => PACKED_JSON[(index + i) % PACKED_JSON.length]!) as [string, string]
    const gzip = { ...json, 'content-encoding': 'gzip' }
    return [
      ...common,
      make('route, packed JSON', { headers: { ...gzip, ...token }, body: () => pack(one) }),
      make('route, packed JSON, revoked token', {
        headers: { ...gzip, ...revoked },
        body: () => pack(other),
      }),
      make('route, 2 MB without token', { headers: json, body: () => `"${'x'.repeat(2 * MEGABYTE)}"` }),
      make('route, form for JSON', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...token },
        body: () => 'a&'.repeat(MEGABYTE),
      }),
    ]
  })
}
