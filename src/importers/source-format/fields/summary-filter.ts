import type { FieldFile } from '../../../definitions/formats/field-file.ts'
import { formatDateTime, toCivil, toDays } from '../../../formulas/values/civil-date.ts'
import type { FieldType } from '../../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../../schema/fields/registry.ts'
import { splitValues } from './split-values.ts'

/** One condition of a roll-up in source format. */
export interface SummaryFilter {
  /** `Line__c.Amount__c` */
  readonly path: string
  readonly operation: string
  readonly value: string
  /** Another field of the detail, instead of a value. */
  readonly valueField: string | undefined
}

const COMPARISONS: Readonly<Record<string, string>> = {
  lessThan: '<',
  lessOrEqual: '<=',
  greaterThan: '>',
  greaterOrEqual: '>=',
}

const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

/** True if its values are texts in a formula, too. Ids of another org mean nothing here. */
const isText = ({ formula, listed }: FieldType) =>
  formula?.type === 'Text' && formula.isId !== true && formula.inRulesOnly !== true && listed !== true

const isPicklist = ({ formula }: FieldType) => formula?.type === 'Picklist'

/** `1,234.5` or `50%`; undefined: it is not a number. */
function toNumber(value: string): string | undefined {
  const [, whole, decimals = ''] = /^([+-]?\d+|[+-]?\d{1,3}(?:,\d{3})+)(\.\d+)?%?$/.exec(value) ?? []
  return whole && `${whole.replaceAll(/[,+]/g, '')}${decimals}`
}

/** Filters give percents as they are shown, formulas as what they are: 50 is 0.5. */
function toFraction(percents: string): string {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(percents)!
  const digits = whole.padStart(3, '0')
  return `${sign}${Number(digits.slice(0, -2))}.${digits.slice(-2)}${decimals}`
}

/** The day of `2026-01-31` or `1/31/2026`, as arguments of DATE; undefined: there is no such day. */
function toDate(value: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T00:00:00(?:\.0+)?Z)?$/.exec(value)
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value)
  const parts = iso?.slice(1) ?? (american && [american[3]!, american[1]!, american[2]!])
  if (!parts) return undefined
  const [year, month, day] = parts.map(Number) as [number, number, number]
  const date = toCivil(toDays(year, month, day))
  return date.month === month && date.day === day ? `DATE(${year}, ${month}, ${day})` : undefined
}

/** A point in time that names its zone; without one it depends on who wrote it. */
function toDatetime(value: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(value)) return undefined
  const time = Date.parse(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(time) ? undefined : `DATETIMEVALUE("${formatDateTime(Math.floor(time / 1000))}")`
}

function toTime(value: string): string | undefined {
  const [, time, milliseconds = '000'] =
    /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{3}))?Z?$/.exec(value) ?? []
  return time && `TIMEVALUE("${time}.${milliseconds}")`
}

/** The value as it stands in a formula; undefined when it is not one of the type. */
function toLiteral(type: FieldType, value: string): string | undefined {
  switch (type.literal) {
    case 'int':
    case 'double': {
      const number = toNumber(value)
      return number && type.formula?.isPercent === true ? toFraction(number) : number
    }
    case 'date':
      return toDate(value)
    case 'dateTime':
      return toDatetime(value)
    case 'time':
      return toTime(value)
    case 'boolean':
      return /^(true|1)$/i.test(value) ? 'TRUE' : /^(false|0)$/i.test(value) ? 'FALSE' : undefined
    default:
      return isText(type) ? quote(value) : undefined
  }
}

/** One of the conditions holds; undefined: one of them is not known. */
function any(conditions: readonly (string | undefined)[]): string | undefined {
  if (conditions.includes(undefined)) return undefined
  return conditions.length === 1 ? conditions[0] : `OR(${conditions.join(', ')})`
}

/** The field has one of the values, as a formula. */
function makeEquality(name: string, type: FieldType, values: readonly string[]): string | undefined {
  const conditions = (values.length === 0 ? [''] : values).map((one) => {
    if (isPicklist(type)) return `ISPICKVAL(${name}, ${quote(one)})`
    if (one === '') return `ISBLANK(${name})`
    const literal = toLiteral(type, one)
    return literal && `${name} = ${literal}`
  })
  return any(conditions)
}

/** The text has, or begins with, one of the values. */
function makeTextTest(call: string, name: string, type: FieldType, values: readonly string[]) {
  if (values.length === 0 || values.includes('')) return undefined
  if (!isPicklist(type) && !isText(type)) return undefined
  const text = isPicklist(type) ? `TEXT(${name})` : name
  return any(values.map((one) => `${call}(${text}, ${quote(one)})`))
}

const makeIncludes = (name: string, type: FieldType, values: readonly string[]) =>
  !type.operators.includes('includes') || values.length === 0 || values.includes('')
    ? undefined
    : any(values.map((one) => `INCLUDES(${name}, ${quote(one)})`))

/** Paths of a record type, which a filter gives by its label. */
const RECORD_TYPE = /^[^.]+\.(RecordTypeId|RecordType(\.Name)?)$/i

/** The record has a record type with one of the labels. */
function makeTypeTest(labels: readonly string[], typesWith: (label: string) => readonly string[]) {
  const conditions = (labels.length === 0 ? [''] : labels).map((label) => {
    if (label === '') return 'ISBLANK(RecordType.DeveloperName)'
    const names = typesWith(label)
    return any(
      names.length === 0 ? [undefined] : names.map((name) => `RecordType.DeveloperName = ${quote(name)}`),
    )
  })
  return any(conditions)
}

const negate = (condition: string | undefined) => (condition === undefined ? undefined : `NOT(${condition})`)

/**
 * The condition as a formula of the detail.
 * @param field the field that the filter names; undefined when it is not known
 * @param typesWith names of the record types of the detail with a label
 * @returns undefined: there is no formula for it
 */
export function makeFilter(
  { path, operation, value, valueField }: SummaryFilter,
  field: FieldFile | undefined,
  typesWith: (label: string) => readonly string[],
): string | undefined {
  if (RECORD_TYPE.test(path) && valueField === undefined) {
    const has = makeTypeTest(splitValues(value), typesWith)
    return operation === 'equals' ? has : operation === 'notEqual' ? negate(has) : undefined
  }
  if (field?.type === undefined) return undefined
  const type = FIELD_TYPES[field.type]
  const name = path.slice(path.indexOf('.') + 1)
  const other = valueField?.slice(valueField.indexOf('.') + 1)
  const values = splitValues(value)
  const comparison = COMPARISONS[operation]
  if (comparison !== undefined) {
    const right = other ?? (values.length === 1 ? toLiteral(type, values[0]!) : undefined)
    return right && `${name} ${comparison} ${right}`
  }
  if (other !== undefined) {
    const equal = `${name} = ${other}`
    return operation === 'equals' ? equal : operation === 'notEqual' ? negate(equal) : undefined
  }
  switch (operation) {
    case 'equals':
      return makeEquality(name, type, values)
    case 'notEqual':
      return negate(makeEquality(name, type, values))
    case 'contains':
      return makeTextTest('CONTAINS', name, type, values)
    case 'notContain':
      return negate(makeTextTest('CONTAINS', name, type, values))
    case 'startsWith':
      return makeTextTest('BEGINS', name, type, values)
    case 'includes':
      return makeIncludes(name, type, values)
    case 'excludes':
      return negate(makeIncludes(name, type, values))
    default:
      return undefined
  }
}
