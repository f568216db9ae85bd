import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Runs the tests of records, queries, composites, deployments, permissions and bulk jobs on a PostgreSQL server with the extension Citus:
 * `TEST_CITUS_URL=postgres://postgres@127.0.0.1:5433/postgres npm run test:citus`, or with files and folders behind `--`. Each database
 * that they make is a cluster of one node there, on which the schema of every org is distributed. With
 * `TEST_CITUS_WORKERS=127.0.0.1:5434,127.0.0.1:5435` it is one of several nodes, and these servers have the orgs; the tests of
 * `test/cluster` need that.
 */
const url = process.env.TEST_CITUS_URL
if (url === undefined) {
  process.stderr.write(
    'Set TEST_CITUS_URL to a PostgreSQL server that has citus in shared_preload_libraries.\n',
  )
  process.exit(2)
}

const SUITES = [
  'test/interface',
  'test/soql',
  'test/graphql',
  'test/bulk',
  'test/definitions',
  'test/cluster',
]
const chosen = process.argv.length > 2 ? process.argv.slice(2) : SUITES
const env = { ...process.env, TEST_DATABASE_URL: url }
const suite = [join(import.meta.dirname, 'test.ts'), ...chosen]
const { status } = spawnSync(process.execPath, suite, { env, stdio: 'inherit' })
process.exit(status ?? 1)
