import { Skeleton } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { formatAddress, parseAddress, texts } from './address.ts'
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

/** Languages besides that of queries. */
const LANGUAGES = ['sosl', 'graphql'] as const

const query = createRoute({
  getParentRoute: () => root,
  path: '/query',
  validateSearch: (
    values: Record<string, unknown>,
  ): { q?: string | undefined; language?: (typeof LANGUAGES)[number] | undefined } => {
    const { q, language } = texts('q', 'language')(values)
    return { q, language: LANGUAGES.find((one) => one === language) }
  },
  component: lazyRouteComponent(() => import('./screens/query/Query.tsx'), 'Query'),
})

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/explorer',
  validateSearch: texts('method', 'path', 'body'),
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
  validateSearch: texts('view', 'name', 'where', 'filter', 'sort', 'record'),
  component: lazyRouteComponent(() => import('./screens/records/RecordList.tsx'), 'RecordList'),
})

const newRecord = createRoute({
  getParentRoute: () => root,
  path: '/records/$object/new',
  validateSearch: texts('type', 'clone', 'field', 'parent'),
  component: lazyRouteComponent(() => import('./screens/records/NewRecord.tsx'), 'NewRecord'),
})

const record = createRoute({
  getParentRoute: () => root,
  path: '/records/$object/$id',
  validateSearch: texts('tab'),
  component: lazyRouteComponent(() => import('./screens/records/Record.tsx'), 'Record'),
})

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: texts('find', 'user', 'app', 'status', 'endpoint', 'slower', 'live', 'call', 'own'),
  component: lazyRouteComponent(() => import('./screens/calls/Calls.tsx'), 'Calls'),
})

const limits = createRoute({
  getParentRoute: () => root,
  path: '/limits',
  validateSearch: texts('find', 'own'),
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
    // Another object or record is another page: nothing that was typed or selected in the one is in the other.
    defaultRemountDeps: ({ params }) => params,
    parseSearch: parseAddress,
    stringifySearch: formatAddress,
    defaultPendingComponent: () => <Skeleton h={240} m="lg" />,
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
