import type { Field } from '../../../src/schema/fields/field.ts'

/* Few values of each type, the same in records and in queries, so that many are equal and many are at an edge. */

const TEXTS: readonly string[] = [
  'alpha',
  'Alpha',
  'ALPHA',
  'alpha beta',
  'Beta',
  'a_b',
  'aXb',
  '100%',
  '1000',
  'back\\slash',
  "O'Brien",
  'say "hi"',
  'two  blanks',
  'line\nbreak',
  'zürich',
  'ZÜRICH',
  'Straße',
  'STRASSE',
  'ıf',
  'IF',
  'if',
  'ÿ',
  'ς',
  'Σ',
  '日本',
  '🚀 up',
  '\uffee',
  '~',
]

const KEYS: readonly string[] = ['key3', 'KEY3', 'Key4', 'KEY9', 'key20', 'kEY20']

const DAYS: readonly string[] = [
  '1700-01-01',
  '2020-02-29',
  '2023-11-23',
  '2023-12-31',
  '2024-01-01',
  '2024-02-29',
  '2024-03-31',
  '2024-04-01',
  '2024-08-24',
  '2024-08-25',
  '2024-09-30',
  '2024-10-01',
  '2024-10-31',
  '2024-11-16',
  '2024-11-17',
  '2024-11-22',
  '2024-11-23',
  '2024-11-24',
  '2024-12-01',
  '2024-12-31',
  '2025-01-01',
  '2025-04-01',
  '4000-12-31',
]

/** Around midnight in Oslo, and around the hours that summer time skips and repeats. */
const TIMESTAMPS: readonly string[] = [
  '1999-12-31T23:59:59Z',
  '2023-12-31T22:30:00Z',
  '2023-12-31T23:30:00Z',
  '2024-02-29T12:00:00Z',
  '2024-03-31T00:59:59Z',
  '2024-03-31T01:00:00Z',
  '2024-03-31T22:00:00Z',
  '2024-08-24T21:59:59Z',
  '2024-08-24T22:00:00Z',
  '2024-10-27T00:30:00Z',
  '2024-10-27T01:30:00Z',
  '2024-11-21T23:00:00Z',
  '2024-11-22T22:59:59Z',
  '2024-11-22T23:00:00Z',
  '2024-11-23T22:59:59Z',
  '2024-11-23T23:00:00Z',
  '2024-11-30T23:30:00Z',
  '2025-01-01T00:00:00Z',
]

const TIMES: readonly string[] = [
  '00:00:00.000',
  '09:30:00.000',
  '09:30:00.001',
  '12:00:00.000',
  '23:59:59.999',
]

const DECIMALS: readonly number[] = [-1000.5, -1, -0.001, 0, 0.001, 0.1, 0.25, 0.3, 1, 2, 2.5, 99_999_999.999]

/** No two of them are equally far from a third by chance. */
export const LOCATIONS: readonly (readonly [number, number])[] = [
  [59.9139, 10.7522],
  [59.3293, 18.0686],
  [-33.8688, 151.2093],
  [0, 0],
  [89.9, -179.5],
  [-12.0464, -77.0428],
]

/** Values that records may have in a field; a picklist also has some that are not in its list. */
export function makeDomain({
  type,
  picklist,
  name,
  definition,
}: Field): readonly (string | number | boolean)[] {
  switch (type.name) {
    case 'boolean':
      return [true, false]
    case 'int':
      return [-7, -1, 0, 1, 2, 3, 10, 99_999_999]
    case 'double':
    case 'currency':
    case 'percent':
      return name.endsWith('__s') ? [0, 10.7522, 59.9139] : DECIMALS
    case 'date':
      return DAYS
    case 'datetime':
      return TIMESTAMPS
    case 'time':
      return TIMES
    case 'picklist':
      return [...picklist.map((entry) => entry.value), 'amber', 'zinc']
    case 'combobox':
      return [...picklist.map((entry) => entry.value), 'Bush', 'vine']
    case 'email':
      return ['ada@example.com', 'Ada@Example.com', 'bob_x@example.com', 'bob.x@example.com']
    default:
      return definition.unique === true ? KEYS : TEXTS
  }
}
