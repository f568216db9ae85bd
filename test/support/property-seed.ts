import fc from 'fast-check'

/**
 * Loaded before the tests: properties try the same examples in every run, so that one commit always gives one result.
 * PROPERTY_SEED gives others: a number, or `random`; `npm run soak -- properties` looks for new counterexamples with it.
 */
const seed = process.env.PROPERTY_SEED ?? '1'
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

/** The seed of what is random besides: records that properties ask about. */
export const propertySeed = (): number =>
  seed === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(seed)
