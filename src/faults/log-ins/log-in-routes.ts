/** The route of token requests. */
export const TOKEN_ROUTE = '/services/oauth2/token'

/** The pages of log-ins, by the short names of their routes. */
const PAGE_ROUTES = {
  authorize: '/services/oauth2/authorize',
  login: '/login',
  device: '/setup/connect',
} as const

export type PageRoute = (typeof PAGE_ROUTES)[keyof typeof PAGE_ROUTES]

/** Names that a plan may write instead of the routes of a log-in. */
const SHORT_NAMES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['token', [TOKEN_ROUTE]],
  ...Object.entries(PAGE_ROUTES).map(([name, route]) => [name, [route]] as const),
  ['soap', ['/services/Soap/u/login', '/services/Soap/c/login']],
])

export const ROUTE_NAMES: readonly string[] = [...SHORT_NAMES.keys()]

/** Returns the routes that a plan names, each perhaps with a `*` at its end. */
export const findNamedRoutes = (route: string): readonly string[] => SHORT_NAMES.get(route) ?? [route]

/** Routes of requests that are no calls. They match plans that name them, or a grant, alone. */
export const LOG_IN_ROUTES: readonly string[] = [TOKEN_ROUTE, ...Object.values(PAGE_ROUTES)]

export const isPageRoute = (route: string): boolean =>
  (Object.values(PAGE_ROUTES) as readonly string[]).includes(route)
