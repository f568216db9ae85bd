import { same } from '../../definitions/checks/checking.ts'
import { parseFormula, type Syntax } from '../../formulas/parse/parser.ts'
import { quoteValue } from './quote-value.ts'
import type { Content } from './write-xml.ts'

/** A condition of a roll-up. */
interface FilterItem {
  readonly field: string
  readonly operation: string
  readonly value?: string
  readonly valueField?: string
}

/** The object of the details. */
interface Detail {
  readonly name: string
  /** True of a percent: formulas have 0.5 where the format has 50. */
  readonly isPercent: (field: string) => boolean
  /** The labels of its record types by their names, which the formula has. */
  readonly recordTypes: ReadonlyMap<string, string>
}

type IsPercent = Detail['isPercent']

/** How formulas name the record type of a record. */
const RECORD_TYPE = 'RecordType.DeveloperName'

const COMPARISONS = new Map([
  ['<', 'lessThan'],
  ['<=', 'lessOrEqual'],
  ['>', 'greaterThan'],
  ['>=', 'greaterOrEqual'],
  ['=', 'equals'],
  ['==', 'equals'],
  ['<>', 'notEqual'],
  ['!=', 'notEqual'],
])

/** Negations of the operations. */
const OPPOSITES = new Map([
  ['equals', 'notEqual'],
  ['contains', 'notContain'],
  ['includes', 'excludes'],
])

/** Functions that test a field for a text. */
const TESTS = new Map([
  ['ISPICKVAL', 'equals'],
  ['CONTAINS', 'contains'],
  ['BEGINS', 'startsWith'],
  ['INCLUDES', 'includes'],
])

/** The operands of a call or operator of one of these names; undefined if it is another one. */
const operands = (syntax: Syntax | undefined, ...names: string[]): readonly Syntax[] | undefined => {
  const name = syntax?.kind === 'call' ? syntax.name : syntax?.kind === 'operator' ? syntax.operator : ''
  return names.includes(name.toUpperCase()) ? (syntax as { args: readonly Syntax[] }).args : undefined
}

/** `0.5` as it is shown: 50. */
function toPercents(fraction: string): string | undefined {
  const [whole = '', decimals = ''] = fraction.split('.')
  if (!/^\d+$/.test(whole + decimals)) return undefined
  const digits = decimals.padEnd(2, '0')
  const shown = `${whole}${digits.slice(0, 2)}`.replace(/^0+(?=\d)/, '')
  return digits.length === 2 ? shown : `${shown}.${digits.slice(2)}`
}

/** The value of a literal as the format writes it; undefined if it is none. */
function readLiteral(syntax: Syntax | undefined, isPercent: boolean): string | undefined {
  if (syntax?.kind === 'number') return isPercent ? toPercents(syntax.text) : syntax.text
  if (syntax?.kind === 'text') return quoteValue(syntax.text)
  if (syntax?.kind === 'constant' && typeof syntax.value === 'boolean') return syntax.value ? 'True' : 'False'
  const parts = operands(syntax, 'DATE')?.map((part) => readLiteral(part, false))
  if (parts !== undefined && parts.length === 3 && !parts.includes(undefined))
    return parts.map((part) => part!.padStart(2, '0')).join('-')
  const [time] = operands(syntax, 'DATETIMEVALUE', 'TIMEVALUE') ?? []
  if (time?.kind !== 'text') return undefined
  return `${time.text.replace(' ', 'T')}${time.text.includes(' ') ? '.000' : ''}Z`
}

/** A field of the detail, also as the text of a picklist. */
function readField(syntax: Syntax | undefined): string | undefined {
  const inner = operands(syntax, 'TEXT')?.[0] ?? syntax
  if (inner?.kind !== 'name') return undefined
  if (same(inner.name, RECORD_TYPE)) return RECORD_TYPE
  return inner.name.includes('.') ? undefined : inner.name
}

function readTest(syntax: Syntax, isPercent: IsPercent): FilterItem | undefined {
  const isBlank = operands(syntax, 'ISBLANK')
  if (isBlank !== undefined) {
    const field = readField(isBlank[0])
    return field === undefined ? undefined : { field, operation: 'equals', value: '' }
  }
  const name =
    syntax.kind === 'call' ? syntax.name.toUpperCase() : syntax.kind === 'operator' ? syntax.operator : ''
  const operation = TESTS.get(name) ?? COMPARISONS.get(name)
  if (operation === undefined) return undefined
  const [left, right] = operands(syntax, name)!
  const [field, valueField] = [readField(left), readField(right)]
  if (field === undefined) return undefined
  const value = readLiteral(right, isPercent(field))
  if (value !== undefined) return { field, operation, value }
  return valueField === undefined ? undefined : { field, operation, valueField }
}

/** Several tests of one field, any of which may hold. */
function readAny(args: readonly Syntax[], isPercent: IsPercent): FilterItem | undefined {
  const items = args.map((one) => readTest(one, isPercent))
  const [first] = items
  const isAlike = items.every(
    (item) =>
      item?.value !== undefined &&
      item.value !== '' &&
      item.field === first!.field &&
      item.operation === first!.operation,
  )
  const isListed = first !== undefined && ![...COMPARISONS.values()].slice(0, 4).includes(first.operation)
  if (!isAlike || !isListed || first.operation === 'notEqual') return undefined
  return { ...first, value: items.map((item) => item!.value).join(',') }
}

function readItem(syntax: Syntax, isPercent: IsPercent): FilterItem | undefined {
  const negated = operands(syntax, 'NOT', '!')
  if (negated !== undefined) {
    const item = readItem(negated[0]!, isPercent)
    const operation = item && OPPOSITES.get(item.operation)
    return item === undefined || operation === undefined ? undefined : { ...item, operation }
  }
  const any = operands(syntax, 'OR', '||')
  if (any !== undefined) return readAny(any, isPercent)
  const field = readField(syntax)
  return field === undefined ? readTest(syntax, isPercent) : { field, operation: 'equals', value: 'True' }
}

const listConditions = (syntax: Syntax): readonly Syntax[] =>
  operands(syntax, 'AND', '&&')?.flatMap(listConditions) ?? [syntax]

/**
 * A condition about the record type by labels, which stand for each record type that has them.
 * @returns undefined: no labels stand for these record types and no others
 */
function withLabels(item: FilterItem, types: ReadonlyMap<string, string>): FilterItem | undefined {
  const { operation, value } = item
  if (item.field !== RECORD_TYPE) return item.valueField === RECORD_TYPE ? undefined : item
  if (value === undefined || !['equals', 'notEqual'].includes(operation)) return undefined
  const names = value === '' ? [] : value.split(',')
  const labels = [...new Set(names.map((name) => types.get(name)))]
  const isOther = ([name, label]: readonly [string, string]) =>
    !names.includes(name) && labels.some((one) => same(one ?? '', label))
  if (labels.includes(undefined) || [...types].some(isOther)) return undefined
  const unique = labels.filter((label, at) => labels.findIndex((one) => same(one!, label!)) === at)
  return { field: 'RecordTypeId', operation, value: unique.map((label) => quoteValue(label!)).join(',') }
}

/**
 * The filter of a roll-up as conditions that all hold.
 * @returns undefined: the format has no conditions for this formula
 */
export function exportSummaryFilter(
  { name, isPercent, recordTypes }: Detail,
  formula: string,
): readonly Content[] | undefined {
  const items = listConditions(parseFormula(formula)).map((one) => {
    const item = readItem(one, isPercent)
    return item && withLabels(item, recordTypes)
  })
  if (items.includes(undefined)) return undefined
  return items.map((item) => ({
    ...item!,
    field: `${name}.${item!.field}`,
    ...(item!.valueField !== undefined && { valueField: `${name}.${item!.valueField}` }),
  }))
}
