import fc from 'fast-check'
import { PAYLOADS } from './payloads.ts'

const SPECIAL = ["'", '\\', '"', '\n', '\r', '\t', '\u0001', '\u0085', '\u2028', '\uD800', '\uDC00', '😀']

/** Texts that a value may be: all that a literal can hold, halves of characters too. */
export const TEXTS: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...SPECIAL, ...'%_:(),;.nu0 '), maxLength: 20 }),
    fc.array(fc.integer({ min: 1, max: 0xffff }), { maxLength: 20 }).map((c) => String.fromCharCode(...c)),
    fc.constantFrom(...PAYLOADS),
  )
  .filter((text) => !text.includes('\0'))

/** A pattern as the parser gives it: each backslash belongs to a pair. */
export const makePattern = (text: string) => text.replaceAll(/\\[%_\\]?/g, (found) => found.padEnd(2, '\\'))
