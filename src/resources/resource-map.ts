import { INGEST_SINCE } from '../bulk/ingest/ingest-routes.ts'
import { QUERY_SINCE } from '../bulk/query/query-routes.ts'
import { route } from '../calls/route.ts'
import { GRAPHQL_SINCE } from '../graphql/graphql.ts'
import { PARAMETERS_SINCE } from './search.ts'

/** `GET /services/data/v64.0`: what there is, each with its address. All values are texts. (docs/reference/api/limits-and-versions.md#resource-list) */
export const resourceMapRoutes = [
  route('GET', '/', 'platform', (ctx) => ({
    status: 200,
    body: {
      sobjects: `${ctx.version.path}/sobjects`,
      query: `${ctx.version.path}/query`,
      queryAll: `${ctx.version.path}/queryAll`,
      search: `${ctx.version.path}/search`,
      ...(ctx.version.major >= PARAMETERS_SINCE && {
        parameterizedSearch: `${ctx.version.path}/parameterizedSearch`,
      }),
      composite: `${ctx.version.path}/composite`,
      ...(ctx.version.major >= GRAPHQL_SINCE && { graphql: `${ctx.version.path}/graphql` }),
      ...(ctx.version.major >= INGEST_SINCE && { jobs: `${ctx.version.path}/jobs` }),
      tooling: `${ctx.version.path}/tooling`,
      compactLayouts: `${ctx.version.path}/compactLayouts`,
      quickActions: `${ctx.version.path}/quickActions`,
      tabs: `${ctx.version.path}/tabs`,
      theme: `${ctx.version.path}/theme`,
      preferences: `${ctx.version.path}/preferences`,
      undelete: `${ctx.version.path}/undelete`,
      recent: `${ctx.version.path}/recent`,
      limits: `${ctx.version.path}/limits`,
      identity: `${ctx.origin}/id/${ctx.org.id}/${ctx.principal.userId}`,
    },
  })),
  route(
    'GET',
    '/jobs',
    'platform',
    ({ version }) => ({
      status: 200,
      body: {
        ingest: `${version.path}/jobs/ingest`,
        ...(version.major >= QUERY_SINCE && { query: `${version.path}/jobs/query` }),
      },
    }),
    INGEST_SINCE,
  ),
]
