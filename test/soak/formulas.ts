import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/*
 * Compares random formulas in the process and in the database for longer than a test run has time:
 *
 *   npm run soak -- formulas                      20,000 formulas
 *   npm run soak -- formulas --effort 200      100,000
 *   npm run soak -- formulas --seed 7          the same formulas as another run with that seed
 *   npm run soak -- formulas --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * Ends with 1 when a value differs.
 */
const { values } = parseArgs({
  options: {
    effort: { type: 'string', default: '40' },
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
const { status } = spawnSync(process.execPath, ['scripts/test.ts', 'test/formulas/oracle.test.ts'], {
  stdio: 'inherit',
  env,
})
process.exit(status ?? 1)
