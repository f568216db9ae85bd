import type { AggregateFunction } from '../../soql/parse/function-names.ts'
import type { ValueKind } from '../values/value-kind.ts'

/** A function over the values of many records, and the kind of what it gives. */
interface Summed {
  readonly function: AggregateFunction
  readonly kind: ValueKind
}

/** What an aggregate has beside a value and how it is shown. (docs/reference/api/graphql.md#aggregates) */
export interface Summary {
  readonly functions: Readonly<Record<string, Summed>>
  /** It tells which groups sum up over the field. */
  readonly grouping: boolean
}

const COUNTS = {
  count: { function: 'COUNT', kind: 'Long' },
  countDistinct: { function: 'COUNT_DISTINCT', kind: 'Long' },
} as const

const extremes = (kind: ValueKind) =>
  ({ min: { function: 'MIN', kind }, max: { function: 'MAX', kind } }) as const

const sums = (kind: ValueKind) =>
  ({ avg: { function: 'AVG', kind: 'Double' }, sum: { function: 'SUM', kind } }) as const

const compared = (kind: ValueKind): Summary => ({
  functions: { ...COUNTS, ...extremes(kind) },
  grouping: true,
})

const whole = (kind: ValueKind): Summary => ({
  functions: { ...COUNTS, ...extremes(kind), ...sums('Long') },
  grouping: true,
})

const decimal = (kind: ValueKind): Summary => ({
  functions: { ...COUNTS, ...extremes(kind), ...sums(kind) },
  grouping: false,
})

/** By the kind of a field's values; of the others nothing is summed up. */
export const SUMMARIES: Readonly<Partial<Record<ValueKind, Summary>>> = {
  String: compared('String'),
  Picklist: compared('Picklist'),
  TextArea: compared('TextArea'),
  Email: compared('Email'),
  PhoneNumber: compared('PhoneNumber'),
  Url: compared('Url'),
  ID: compared('ID'),
  Date: compared('Date'),
  DateTime: compared('DateTime'),
  Int: whole('Int'),
  Long: whole('Long'),
  Double: decimal('Double'),
  Currency: decimal('Currency'),
  Percent: decimal('Percent'),
  Latitude: decimal('Latitude'),
  Longitude: decimal('Longitude'),
  Boolean: { functions: {}, grouping: true },
  Time: { functions: {}, grouping: false },
}
