import type { AggregateFunction } from '../../soql/parse/function-names.ts'
import type { ValueKind } from '../values/value-kind.ts'

/** An aggregate function, and the kind of its result. */
interface SummaryFunction {
  readonly function: AggregateFunction
  readonly kind: ValueKind
}

/** The members of an aggregate besides the value and its display forms. (docs/reference/api/graphql.md#aggregates) */
export interface Summary {
  readonly functions: Readonly<Record<string, SummaryFunction>>
  /** Has `grouping`, which marks subtotals. */
  readonly grouping: boolean
}

const COUNTS = {
  count: { function: 'COUNT', kind: 'Long' },
  countDistinct: { function: 'COUNT_DISTINCT', kind: 'Long' },
} as const

const makeMinAndMax = (kind: ValueKind) =>
  ({ min: { function: 'MIN', kind }, max: { function: 'MAX', kind } }) as const

const makeSums = (kind: ValueKind) =>
  ({ avg: { function: 'AVG', kind: 'Double' }, sum: { function: 'SUM', kind } }) as const

const makeComparedSummary = (kind: ValueKind): Summary => ({
  functions: { ...COUNTS, ...makeMinAndMax(kind) },
  grouping: true,
})

const makeIntegerSummary = (kind: ValueKind): Summary => ({
  functions: { ...COUNTS, ...makeMinAndMax(kind), ...makeSums('Long') },
  grouping: true,
})

const makeDecimalSummary = (kind: ValueKind): Summary => ({
  functions: { ...COUNTS, ...makeMinAndMax(kind), ...makeSums(kind) },
  grouping: false,
})

/** By the kind of a field's values; other kinds have no aggregates. */
export const SUMMARIES: Readonly<Partial<Record<ValueKind, Summary>>> = {
  String: makeComparedSummary('String'),
  Picklist: makeComparedSummary('Picklist'),
  TextArea: makeComparedSummary('TextArea'),
  Email: makeComparedSummary('Email'),
  PhoneNumber: makeComparedSummary('PhoneNumber'),
  Url: makeComparedSummary('Url'),
  ID: makeComparedSummary('ID'),
  Date: makeComparedSummary('Date'),
  DateTime: makeComparedSummary('DateTime'),
  Int: makeIntegerSummary('Int'),
  Long: makeIntegerSummary('Long'),
  Double: makeDecimalSummary('Double'),
  Currency: makeDecimalSummary('Currency'),
  Percent: makeDecimalSummary('Percent'),
  Latitude: makeDecimalSummary('Latitude'),
  Longitude: makeDecimalSummary('Longitude'),
  Boolean: { functions: {}, grouping: true },
  Time: { functions: {}, grouping: false },
}
