import fc from 'fast-check'
import { CASES } from './cases.ts'
import { PAYLOADS } from './payloads.ts'

/** The valid queries of the corpus. */
export const VALID = CASES.filter(({ valid }) => valid).map(({ q }) => q)
const tokensIn = (text: string) => text.match(/'(?:[^'\\]|\\.)*'|\w+|\s+|\S/g) ?? []
const WORDS_SENT = [...new Set(CASES.flatMap(({ q }) => tokensIn(q)).filter((token) => token.trim() !== ''))]

const valid = fc.constantFrom(...VALID)
const odd = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(...PAYLOADS, ...WORDS_SENT),
)
/** Where a text is changed, how much of it goes, what comes instead, and whether what was there stays too. */
const change = fc.record({ location: fc.nat(), size: fc.nat(3), patch: odd, twice: fc.boolean() })

function changed(
  parts: readonly string[],
  changes: readonly (typeof change extends fc.Arbitrary<infer C> ? C : never)[],
) {
  let left = [...parts]
  for (const { location, size, patch, twice } of changes) {
    const at = location % (left.length + 1)
    const gone = left.slice(at, at + size)
    left = [...left.slice(0, at), ...(twice ? [...gone, ...gone] : [patch]), ...left.slice(at + size)]
  }
  return left.join('')
}

const changes = fc.array(change, { minLength: 1, maxLength: 2 })

const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
const DIGITS = ['0', '1', '7', '2000', '99999999999', '9007199254740991', '9'.repeat(300), '0.5', '3.25e1']

/** Replacements of a word that leave a query nearly right: others of its kind. */
function likeness(token: string): fc.Arbitrary<string> {
  if (token.startsWith("'")) return fc.oneof(fc.constantFrom(...PAYLOADS), fc.string()).map(quoted)
  if (/^\d/.test(token)) return fc.constantFrom(...DIGITS)
  const alike = WORDS_SENT.filter((word) => /^\w/.test(word) === /^\w/.test(token) && !word.startsWith("'"))
  return fc.constantFrom(...alike)
}

const replaced = fc.tuple(valid, fc.nat()).chain(([text, location]) => {
  const tokens = tokensIn(text)
  const spots = tokens.flatMap((token, i) => (token.trim() === '' ? [] : [i]))
  const at = spots[location % spots.length]!
  return likeness(tokens[at]!).map((token) => tokens.toSpliced(at, 1, token).join(''))
})

/** A query cut where its next clause begins. */
const splitClauses = (text: string) => text.split(/(?= (?:WHERE|GROUP BY|ORDER BY|LIMIT|OFFSET)\b)/)
const findObject = (text: string) => /\bFROM (\w+)/.exec(text)?.[1]
const mixed = valid.chain((a) =>
  fc
    .tuple(fc.constantFrom(...VALID.filter((b) => findObject(a) === findObject(b))), fc.nat(9), fc.nat(9))
    .map(([b, i, j]) => {
      const [start, end] = [splitClauses(a), splitClauses(b)]
      return [...start.slice(0, 1 + (i % start.length)), ...end.slice(j % end.length)].join('')
    }),
)

/** Texts that are no query, or one by chance, or nearly one; by what they are. */
export const HOSTILE_TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'any characters': fc
    .tuple(
      fc.constantFrom(
        '',
        'SELECT ',
        'SELECT Id FROM Account WHERE ',
        "SELECT Id FROM Account WHERE Name = '",
      ),
      fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 })),
    )
    .map((parts) => parts.join('')),
  'words of the language in any order': fc
    .tuple(
      fc.constantFrom('', 'SELECT ', 'SELECT Id FROM Project__c WHERE ', 'SELECT Id FROM Account ORDER BY '),
      fc.array(fc.constantFrom(...WORDS_SENT), { maxLength: 20 }),
    )
    .map(([start, words]) => start + words.join(' ')),
  'a valid query with other characters': fc
    .tuple(valid, changes)
    .map(([text, list]) => changed([...text], list)),
  'a valid query with other words': fc.tuple(valid, changes).map(([text, list]) =>
    changed(
      tokensIn(text),
      list.map((one) => ({ ...one, patch: ` ${one.patch} ` })),
    ),
  ),
  'a valid query with another word of the same kind': replaced,
  'clauses of valid queries': mixed,
  'two halves of valid queries': fc
    .tuple(valid, valid, fc.nat(), fc.nat())
    .map(([a, b, i, j]) => a.slice(0, i % a.length) + b.slice(j % b.length)),
}
