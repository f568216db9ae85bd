import { before, test } from 'node:test'
import fc from 'fast-check'
import { propertySeed } from '../support/property-seed.ts'
import { isSoak, runs } from '../support/runs.ts'
import { assertAsOracle } from './oracle/assert-as-oracle.ts'
import { type Fixture, openFixture } from './oracle/fixture.ts'
import { randomQuery } from './oracle/random-query.ts'

/*
 * Random queries over random records: the API returns what the oracle says, which looks at every record
 * in memory. PROPERTY_EFFORT asks more; PROPERTY_SEED asks others.
 */

const RUNS = runs(100)
const SEED = propertySeed()
const AT_ONCE = 4
/** How often a long run says how far it is. */
const REPORT_EVERY = 1000

let fixture: Fixture
let requested = 0

before(async () => {
  fixture = await openFixture(SEED)
})

function reportProgress(): void {
  requested += AT_ONCE
  if (isSoak && requested % REPORT_EVERY === 0) process.stdout.write(`${requested} queries\n`)
}

/** The same query with other numbers and short texts in its conditions. */
const withOtherValues = (text: string, n: number) =>
  text
    .replaceAll(/([=<>] )(\d{1,6})(?=[ )]|$)/g, (_, before, number) => `${before}${Number(number) + n}`)
    .replaceAll(/([=<>] ')([a-z ]{1,9})(?=')/gi, (_, before, inner) => `${before}${inner.slice(n % 2)}`)

const VARIANTS = [0, 1, 2, 3]

test('queries that differ in values and come at the same time each give what they mean', async () => {
  const { schema } = fixture.world
  const text = randomQuery({ schema, idsOf: (object) => fixture.world.ids(object) })
  await fc.assert(
    fc.asyncProperty(text, async (one) => {
      const variants = VARIANTS.map((n) => ({ text: withOtherValues(one, n), deletedToo: false }))
      // A text enters the caches the second time that it is used.
      for (let round = 0; round < 3; round++) {
        await Promise.all(variants.map((variant) => assertAsOracle(fixture, variant)))
      }
    }),
    { seed: SEED, numRuns: Math.ceil(RUNS / (VARIANTS.length * 3)) },
  )
})

test('a query gives what it means, record for record', async () => {
  const { schema } = fixture.world
  const question = fc.record({
    text: randomQuery({ schema, idsOf: (object) => fixture.world.ids(object) }),
    deletedToo: fc.boolean(),
  })
  const questions = fc.array(question, { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(questions, async (list) => {
      await Promise.all(list.map((one) => assertAsOracle(fixture, one)))
      reportProgress()
    }),
    { seed: SEED, numRuns: Math.ceil(RUNS / AT_ONCE) },
  )
})
