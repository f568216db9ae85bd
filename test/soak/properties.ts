import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/**
 * Looks for counterexamples: every property, over and over, each round with another seed and more examples than in
 * `npm test`: `--rounds 5 --effort 5`.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, effort: { type: 'string', default: '5' } },
})
const files = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('fc.assert'))
let failures = 0
for (let round = 1; round <= Number(values.rounds); round++) {
  const seed = String(randomInt(2 ** 31))
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test.ts', ...files], {
    env: { ...process.env, PROPERTY_SEED: seed, PROPERTY_EFFORT: values.effort },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  console.log(
    `round ${round} of ${values.rounds}, PROPERTY_SEED=${seed}: ${status === 0 ? 'holds' : 'fails'}`,
  )
  if (status === 0) continue
  failures++
  console.log(stdout.slice(stdout.indexOf('failing tests:')))
}
process.exitCode = failures === 0 ? 0 : 1
