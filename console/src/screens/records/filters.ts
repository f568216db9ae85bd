import type { Field } from '../../api/describe.ts'
import { type FieldKind, kindOf } from '../../api/field-kind.ts'
import { quoteContaining, quoteStarting, writeLiteral } from '../../api/soql.ts'

/** A condition on one field of a list. */
export interface Filter {
  readonly field: string
  readonly operator: string
  /** None where the operator takes none. */
  readonly values: readonly string[]
}

export interface Operator {
  readonly name: string
  readonly label: string
  /** How its value is entered: as one of the field, as several of its picklist, as a period such as this week, or not at all. */
  readonly takes: 'value' | 'choices' | 'period' | 'nothing'
  readonly write: (field: string, kind: FieldKind, values: readonly string[]) => string
}

const compare =
  (sign: string): Operator['write'] =>
  (field, kind, [value = '']) =>
    `${field} ${sign} ${writeLiteral(kind, value)}`
const list =
  (word: string): Operator['write'] =>
  (field, kind, values) =>
    `${field} ${word} (${values.map((value) => writeLiteral(kind, value)).join(', ')})`

const OPERATORS: readonly Operator[] = [
  { name: 'is', label: 'is', takes: 'value', write: compare('=') },
  { name: 'not', label: 'is not', takes: 'value', write: compare('!=') },
  {
    name: 'contains',
    label: 'contains',
    takes: 'value',
    write: (field, _, [text = '']) => `${field} LIKE ${quoteContaining(text)}`,
  },
  {
    name: 'starts',
    label: 'starts with',
    takes: 'value',
    write: (field, _, [text = '']) => `${field} LIKE ${quoteStarting(text)}`,
  },
  { name: 'in', label: 'is one of', takes: 'choices', write: list('IN') },
  { name: 'notin', label: 'is none of', takes: 'choices', write: list('NOT IN') },
  { name: 'includes', label: 'includes any of', takes: 'choices', write: list('INCLUDES') },
  { name: 'excludes', label: 'includes none of', takes: 'choices', write: list('EXCLUDES') },
  { name: 'less', label: 'is less than', takes: 'value', write: compare('<') },
  { name: 'most', label: 'is at most', takes: 'value', write: compare('<=') },
  { name: 'least', label: 'is at least', takes: 'value', write: compare('>=') },
  { name: 'more', label: 'is more than', takes: 'value', write: compare('>') },
  { name: 'before', label: 'is before', takes: 'value', write: compare('<') },
  { name: 'until', label: 'is on or before', takes: 'value', write: compare('<=') },
  { name: 'from', label: 'is on or after', takes: 'value', write: compare('>=') },
  { name: 'after', label: 'is after', takes: 'value', write: compare('>') },
  { name: 'within', label: 'is within', takes: 'period', write: compare('=') },
  { name: 'empty', label: 'is empty', takes: 'nothing', write: (field) => `${field} = null` },
  { name: 'full', label: 'is not empty', takes: 'nothing', write: (field) => `${field} != null` },
]

const BY_NAME = new Map(OPERATORS.map((operator) => [operator.name, operator]))

const TEXT = ['contains', 'is', 'starts', 'not']
const MOMENT = ['is', 'before', 'until', 'from', 'after']
/** Operators by the kind of a field, the usual one first; a kind that is not here has none. */
const BY_KIND: Readonly<Partial<Record<FieldKind, readonly string[]>>> = {
  text: TEXT,
  link: TEXT,
  mail: TEXT,
  lines: TEXT,
  checkbox: ['is'],
  lookup: ['is', 'not'],
  choice: ['in', 'notin'],
  choices: ['includes', 'excludes'],
  number: ['is', 'not', 'less', 'most', 'least', 'more'],
  date: ['within', ...MOMENT],
  datetime: ['within', ...MOMENT.slice(1)],
  time: MOMENT,
  document: [],
}

/** The operators that a field offers. */
export function operatorsOf(field: Field): readonly Operator[] {
  const named = field.type === 'id' ? ['is', 'not'] : BY_KIND[kindOf(field)]
  if (!field.filterable || named === undefined) return []
  const all = field.nillable ? [...named, 'empty', 'full'] : named
  return all.map((name) => BY_NAME.get(name)!)
}

export const findOperator = (name: string): Operator | undefined => BY_NAME.get(name)

const PATH = /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/

function readFilter(given: unknown): Filter | undefined {
  if (!Array.isArray(given) || !given.every((part) => typeof part === 'string')) return undefined
  const [field = '', operator = '', ...values] = given as string[]
  const takes = BY_NAME.get(operator)?.takes
  if (takes === undefined || !PATH.test(field)) return undefined
  if (takes === 'nothing' ? values.length > 0 : values.length === 0) return undefined
  return { field, operator, values }
}

/** The filters in the text of an address: `[["Industry","in","Energy"]]`. What is none is left out. */
export function parseFilters(text: string | undefined): readonly Filter[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(given) ? given.flatMap((one) => readFilter(one) ?? []) : []
  } catch {
    return []
  }
}

/** The text of an address for filters; undefined for none. */
export const formatFilters = (filters: readonly Filter[]): string | undefined =>
  filters.length === 0
    ? undefined
    : JSON.stringify(filters.map(({ field, operator, values }) => [field, operator, ...values]))

/** A filter as a condition of the query language. A field that is not known is one of texts. */
export const writeFilter = ({ field, operator, values }: Filter, known: Field | undefined): string =>
  BY_NAME.get(operator)!.write(field, known === undefined ? 'text' : kindOf(known), values)

/** Periods that `is within` offers, by their literals. */
export const PERIODS: Readonly<Record<string, string>> = {
  TODAY: 'today',
  YESTERDAY: 'yesterday',
  TOMORROW: 'tomorrow',
  THIS_WEEK: 'this week',
  LAST_WEEK: 'last week',
  NEXT_WEEK: 'next week',
  THIS_MONTH: 'this month',
  LAST_MONTH: 'last month',
  NEXT_MONTH: 'next month',
  THIS_QUARTER: 'this quarter',
  LAST_QUARTER: 'last quarter',
  THIS_YEAR: 'this year',
  LAST_YEAR: 'last year',
  'LAST_N_DAYS:7': 'the last 7 days',
  'LAST_N_DAYS:30': 'the last 30 days',
  'LAST_N_DAYS:90': 'the last 90 days',
}
