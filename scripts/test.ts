import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

/**
 * Runs the whole suite in one process: `npm test`, or `npm test -- test/interface/describe.test.ts` for a part.
 * With TEST_DATABASE_URL it runs on that PostgreSQL server instead of the embedded engine.
 */
const asked = process.argv.slice(2)
const files = asked.length > 0 ? asked : globSync('test/**/*.test.ts').sort()
const options = ['--test', '--test-isolation=none', '--test-reporter=spec']
const { status } = spawnSync(process.execPath, [...options, ...files], { stdio: 'inherit' })
process.exit(status ?? 1)
