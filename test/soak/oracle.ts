import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/*
 * Asks the oracle's questions for longer than a test run has time, and sends hostile texts:
 *
 *   npm run soak -- oracle                       75 times as many as the suite: 12,000 queries, 112,500 texts
 *   npm run soak -- oracle --effort 300
 *   npm run soak -- oracle --seed 7           the same records and queries as another run with that seed
 *   npm run soak -- oracle --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * Ends with 1 when an answer is not what the oracle says, or a text is not answered as it should be.
 */
const { values } = parseArgs({
  options: {
    effort: { type: 'string', default: '75' },
    seed: { type: 'string' },
    'database-url': { type: 'string' },
  },
})
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PROPERTY_EFFORT: values.effort,
  PROPERTY_SEED: values.seed ?? 'random',
}
if (values['database-url'] !== undefined) env.TEST_DATABASE_URL = values['database-url']
const files = ['test/soql/oracle.test.ts', 'test/soql/hostile-statements.test.ts']
const { status } = spawnSync(process.execPath, ['scripts/test.ts', ...files], { stdio: 'inherit', env })
process.exit(status ?? 1)
