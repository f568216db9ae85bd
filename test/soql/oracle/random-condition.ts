import fc from 'fast-check'
import { COUNTED_DATE_LITERALS, FIXED_DATE_LITERALS } from '../../../src/soql/parse/date-literal-names.ts'
import { DATE_FUNCTIONS } from '../../../src/soql/parse/function-names.ts'
import { LOCATIONS, makeDomain } from './domains.ts'
import type { Path } from './random-path.ts'

/** Something that stands on the left of a condition, and what may stand on its right. */
export interface Left {
  readonly text: string
  readonly literal: fc.Arbitrary<string>
  readonly operators: readonly ('equality' | 'order' | 'like' | 'includes')[]
}

/** A thing that is not always there: once in so many times. */
export const sometimes = <T>(thing: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: thing })

const quote = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

/** A text as it is, in another case, or with blanks that make it another text. */
const variant = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toLowerCase(),
  (text: string) => ` ${text}`,
)

/** The start, the end or the middle of a text, some characters left open; what looks like a wildcard is one, or not. */
const pattern = (texts: readonly string[]) =>
  fc
    .record({
      text: fc.constantFrom(...texts),
      from: fc.nat(3),
      length: fc.nat(5),
      start: fc.constantFrom('', '%', '_', '%%'),
      end: fc.constantFrom('', '%', '_', '%_'),
      escaped: fc.boolean(),
    })
    .map(({ text, from, length, start, end, escaped }) => {
      const middle = quote([...text].slice(from, from + length).join('')).slice(1, -1)
      return `'${start}${escaped ? middle.replaceAll(/[%_]/g, '\\$&') : middle}${end}'`
    })

const namedDays = fc.oneof(
  fc.constantFrom<string>(...FIXED_DATE_LITERALS),
  fc
    .tuple(fc.constantFrom(...COUNTED_DATE_LITERALS), fc.constantFrom(0, 1, 2, 3, 13, 90))
    .map(([name, n]) => `${name}:${n}`),
)

/** Sometimes the empty text, which equals null and is before all others. */
const orEmpty = (literal: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 14, arbitrary: literal }, { weight: 1, arbitrary: fc.constant("''") })

/** The same moment, written in another zone. */
function inZone(timestamp: string): string {
  const shifted = new Date(Date.parse(timestamp) + 2.5 * 3_600_000).toISOString()
  return `${shifted.slice(0, 19)}+02:30`
}

/** Literals of a query for a field; of ids, those of the records that may stand in it. */
function literalFor(
  { field, object }: Path,
  idsOf: (object: string) => readonly string[],
): fc.Arbitrary<string> {
  const values = fc.constantFrom(...makeDomain(field))
  switch (field.type.literal) {
    case 'id': {
      const ids = (field.name === 'Id' ? [object.name] : field.referenceTo).flatMap(idsOf)
      const known = ids.length === 0 ? ['001000000000001AAA'] : ids
      const form = fc.constantFrom(15, 18)
      return orEmpty(
        fc.tuple(fc.constantFrom(...known), form).map(([id, length]) => quote(id.slice(0, length))),
      )
    }
    case 'dateTime':
      return fc.oneof(
        values.map(String),
        values.map((timestamp) => inZone(String(timestamp))),
        namedDays,
      )
    case 'date':
      return fc.oneof(values.map(String), namedDays)
    case 'time':
      return values.map((value) => `${value}Z`)
    case 'int':
    case 'double':
      return fc.oneof(
        { weight: 4, arbitrary: values.map((value) => (Number(value) === 0 ? '-0.00' : String(value))) },
        { weight: 1, arbitrary: fc.constantFrom('0.5', '+2.0', '99999999999999999999', '-0.0010') },
      )
    case 'boolean':
      return values.map(String)
    case 'string':
      if (field.type.name === 'multipicklist') {
        const sets = fc.subarray(
          field.picklist.map((entry) => entry.value),
          { minLength: 1 },
        )
        return orEmpty(fc.tuple(sets, variant).map(([chosen, vary]) => quote(vary(chosen.join(';')))))
      }
      return orEmpty(fc.tuple(values, variant).map(([value, vary]) => quote(vary(String(value)))))
  }
}

const orNull = (literal: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: literal }, fc.constant('null'))

/** The left side of an operator: a field, or a function of it. */
export function makeLeft(path: Path, idsOf: (object: string) => readonly string[]): fc.Arbitrary<Left> {
  const { text, field } = path
  const plain: Left = { text, literal: literalFor(path, idsOf), operators: field.type.operators }
  if (field.type.name === 'location') return distanceFrom(text)
  if (field.type.name === 'date' || field.type.name === 'datetime') {
    return fc.oneof({ weight: 2, arbitrary: fc.constant(plain) }, makeDatePart(path))
  }
  if (field.type.name === 'picklist' && field.picklist.length > 0) {
    const labels = fc.constantFrom(...field.picklist.map((entry) => entry.label), 'amber')
    const label: Left = { text: `toLabel(${text})`, literal: labels.map(quote), operators: ['equality'] }
    return fc.oneof({ weight: 5, arbitrary: fc.constant(plain) }, fc.constant(label))
  }
  return fc.constant(plain)
}

/** `CALENDAR_YEAR(convertTimezone(Watered__c))` */
export function dateCall({
  text,
  field,
}: Path): fc.Arbitrary<{ readonly text: string; readonly day: boolean }> {
  const timestamp = field.type.name === 'datetime'
  const names = DATE_FUNCTIONS.filter((name) => timestamp || (name !== 'HOUR_IN_DAY' && name !== 'DAY_ONLY'))
  return fc.tuple(fc.constantFrom(...names), fc.boolean()).map(([name, zoned]) => ({
    text: timestamp && zoned ? `${name}(convertTimezone(${text}))` : `${name}(${text})`,
    day: name === 'DAY_ONLY',
  }))
}

function makeDatePart(path: Path): fc.Arbitrary<Left> {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 13 }),
    fc.constantFrom(31, 47, 60, 328, 366, 2023, 2024, 2025),
  )
  const day = fc.constantFrom('2024-11-22', '2024-11-23', '2023-12-31', '2024-01-01')
  return dateCall(path).map((call) => ({
    text: call.text,
    literal: call.day ? fc.oneof(day, namedDays) : number.map(String),
    operators: ['equality', 'order'],
  }))
}

export const distanceCall = (text: string) =>
  fc
    .tuple(fc.constantFrom(...LOCATIONS), fc.constantFrom('km', 'mi', 'KM'))
    .map(([location, unit]) => `DISTANCE(${text}, GEOLOCATION(${location.join(', ')}), '${unit}')`)

function distanceFrom(text: string): fc.Arbitrary<Left> {
  const literal = fc.constantFrom('0', '500.5', '8000', '15000', '100000')
  return distanceCall(text).map((call) => ({ text: call, literal, operators: [] }))
}

/** `Count__c NOT IN (1, null)` */
export function conditionOn({ text, literal, operators }: Left): fc.Arbitrary<string> {
  const compared = (names: readonly string[]) =>
    fc.tuple(fc.constantFrom(...names), orNull(literal)).map(([name, value]) => `${text} ${name} ${value}`)
  const listed = (names: readonly string[], value: fc.Arbitrary<string>) =>
    fc
      .tuple(fc.constantFrom(...names), fc.array(value, { minLength: 1, maxLength: 4 }))
      .map(([name, values]) => `${text} ${name} (${values.join(', ')})`)
  /** Comparisons that become one with an array: `(A = 1 OR A = 2)`, `(NOT A LIKE 'a%' AND ...)`. */
  const chained = (test: string, value: fc.Arbitrary<string>, minLength: number) =>
    fc
      .tuple(fc.boolean(), fc.array(value, { minLength, maxLength: minLength + 4 }))
      .map(([negated, values]) => {
        const terms = values.map(
          (one) => `${negated ? '(NOT ' : ''}${text} ${test} ${one}${negated ? ')' : ''}`,
        )
        return `(${terms.join(negated ? ' AND ' : ' OR ')})`
      })
  const choices: fc.Arbitrary<string>[] = []
  if (operators.includes('equality')) {
    choices.push(compared(['=', '!=', '<>']), listed(['IN', 'NOT IN'], orNull(literal)))
    choices.push(chained('=', orNull(literal), 2))
  }
  if (operators.includes('order')) choices.push(compared(['<', '<=', '>', '>=']))
  if (operators.includes('includes')) choices.push(listed(['INCLUDES', 'EXCLUDES'], literal))
  if (operators.includes('like')) {
    const like = pattern(LIKE_TEXTS).map((wanted) => `${text} LIKE ${wanted}`)
    choices.push(like, like, chained('LIKE', pattern(LIKE_TEXTS), 24))
  }
  // Only a distance has no operators of its own.
  if (operators.length === 0) {
    choices.push(
      fc.tuple(fc.constantFrom('<', '>'), literal).map(([name, value]) => `${text} ${name} ${value}`),
    )
  }
  return fc.oneof(...choices)
}

const LIKE_TEXTS = [
  'alpha beta',
  'a_b',
  '100%',
  'back\\slash',
  "O'Brien",
  'zürich',
  'Straße',
  '🚀 up',
  'key',
  'blue',
]

/** Conditions put together; `AND` and `OR` never stand beside each other without parentheses. */
export function combined(condition: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { all } = fc.letrec<{ all: string; term: string }>((tie) => ({
    term: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      condition,
      tie('all').map((inner) => `(${inner})`),
    ),
    all: fc.oneof(
      { weight: 4, arbitrary: condition },
      { weight: 2, arbitrary: tie('term').map((term) => `NOT ${term}`) },
      {
        weight: 2,
        arbitrary: fc.array(tie('term'), { minLength: 2, maxLength: 3 }).map((terms) => terms.join(' AND ')),
      },
      {
        weight: 2,
        arbitrary: fc.array(tie('term'), { minLength: 2, maxLength: 3 }).map((terms) => terms.join(' OR ')),
      },
    ),
  }))
  return all
}
