import { before, test } from 'node:test'
import fc from 'fast-check'
import { propertySeed } from '../support/property-seed.ts'
import { isSoak, runs } from '../support/runs.ts'
import { assertAsOracle } from './oracle/assert-as-oracle.ts'
import { type Garden, openGarden } from './oracle/garden.ts'
import { randomQuery } from './oracle/random-query.ts'

/*
 * Random queries over random records: what comes out of the door is what the oracle says, which looks at every record
 * in memory. PROPERTY_EFFORT asks more; PROPERTY_SEED asks others.
 */

const RUNS = runs(160)
const SEED = propertySeed()
const AT_ONCE = 4
/** How often a long run says how far it is. */
const TOLD_EVERY = 1000

let garden: Garden
let asked = 0

before(async () => {
  garden = await openGarden(SEED)
})

function tellProgress(): void {
  asked += AT_ONCE
  if (isSoak && asked % TOLD_EVERY === 0) process.stdout.write(`${asked} queries\n`)
}

test('a query gives what it means, record for record', async () => {
  const { schema } = garden.world
  const question = fc.record({
    text: randomQuery({ schema, idsOf: (object) => garden.world.ids(object) }),
    deletedToo: fc.boolean(),
  })
  const questions = fc.array(question, { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(questions, async (list) => {
      await Promise.all(list.map((one) => assertAsOracle(garden, one)))
      tellProgress()
    }),
    { seed: SEED, numRuns: Math.ceil(RUNS / AT_ONCE) },
  )
})
