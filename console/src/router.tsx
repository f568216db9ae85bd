import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { EmptyState } from './components/EmptyState.tsx'
import { ErrorNotice } from './components/ErrorNotice.tsx'
import { Frame } from './components/Frame.tsx'

interface Context {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({
  component: Frame,
  errorComponent: ({ error }) => <ErrorNotice error={error} />,
  notFoundComponent: () => (
    <EmptyState title="There is no such page" text="The address leads to no screen of the console." />
  ),
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/home/Home.tsx'), 'Home'),
})

const optionalText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const query = createRoute({
  getParentRoute: () => root,
  path: '/query',
  validateSearch: (
    search,
  ): { q?: string | undefined; language?: 'soql' | 'sosl' | 'graphql' | undefined } => ({
    q: optionalText(search.q),
    language: search.language === 'sosl' || search.language === 'graphql' ? search.language : undefined,
  }),
  component: lazyRouteComponent(() => import('./screens/query/Query.tsx'), 'Query'),
})

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/explorer',
  validateSearch: (
    search,
  ): { method?: string | undefined; path?: string | undefined; body?: string | undefined } => ({
    method: optionalText(search.method),
    path: optionalText(search.path),
    body: optionalText(search.body),
  }),
  component: lazyRouteComponent(() => import('./screens/explorer/Explorer.tsx'), 'Explorer'),
})

const records = createRoute({
  getParentRoute: () => root,
  path: '/records',
  component: lazyRouteComponent(() => import('./screens/records/Objects.tsx'), 'Objects'),
})

const recordList = createRoute({
  getParentRoute: () => root,
  path: '/records/$object',
  validateSearch: (
    search,
  ): {
    view?: string | undefined
    name?: string | undefined
    where?: string | undefined
    sort?: string | undefined
  } => ({
    view: optionalText(search.view),
    name: optionalText(search.name),
    where: optionalText(search.where),
    sort: optionalText(search.sort),
  }),
  component: lazyRouteComponent(() => import('./screens/records/RecordList.tsx'), 'RecordList'),
})

const newRecord = createRoute({
  getParentRoute: () => root,
  path: '/records/$object/new',
  validateSearch: (search): { type?: string | undefined; clone?: string | undefined } => ({
    type: optionalText(search.type),
    clone: optionalText(search.clone),
  }),
  component: lazyRouteComponent(() => import('./screens/records/NewRecord.tsx'), 'NewRecord'),
})

const record = createRoute({
  getParentRoute: () => root,
  path: '/records/$object/$id',
  validateSearch: (search): { tab?: string | undefined } => ({ tab: optionalText(search.tab) }),
  component: lazyRouteComponent(() => import('./screens/records/Record.tsx'), 'Record'),
})

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: (
    search,
  ): {
    path?: string | undefined
    user?: string | undefined
    app?: string | undefined
    status?: string | undefined
    live?: boolean | undefined
    call?: string | undefined
  } => ({
    path: optionalText(search.path),
    user: optionalText(search.user),
    app: optionalText(search.app),
    status: optionalText(search.status),
    live: search.live === false ? false : undefined,
    call: search.call === undefined ? undefined : String(search.call),
  }),
  component: lazyRouteComponent(() => import('./screens/calls/Calls.tsx'), 'Calls'),
})

const limits = createRoute({
  getParentRoute: () => root,
  path: '/limits',
  validateSearch: (search): { find?: string | undefined } => ({ find: optionalText(search.find) }),
  component: lazyRouteComponent(() => import('./screens/limits/Limits.tsx'), 'Limits'),
})

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      home,
      query,
      explorer,
      records,
      recordList,
      newRecord,
      record,
      calls,
      limits,
    ]),
    basepath: '/console',
    context: { queries },
    defaultErrorComponent: ({ error }) => <ErrorNotice error={error} />,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
