import { installPackage } from './install-package.ts'
import { type BenchServer, startServer } from './server.ts'

/** PostGraphile over the tables `account` and `contact` of a schema, which have to be there. */
export const startPostgraphile = (databaseUrl: string, schemaName: string): Promise<BenchServer> =>
  startServer('bench/postgraphile-server.ts', [], {
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
    POSTGRAPHILE_FOLDER: installPackage('postgraphile', '5.1.5', ['graphql@16']),
    POSTGRAPHILE_DATABASE_URL: databaseUrl,
    POSTGRAPHILE_SCHEMA: schemaName,
  })
