import type { FieldFile } from '../../definitions/field-file.ts'

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

/** The value as it stands in a formula; undefined when it is not one of the type. */
function toLiteral(type: FieldFile['type'], value: string): string | undefined {
  switch (type) {
    case 'int':
    case 'double':
    case 'currency':
    case 'percent':
      return /^-?\d+(\.\d+)?$/.test(value) ? value : undefined
    case 'date': {
      const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(value)
      const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value)
      if (iso !== null) return `DATE(${Number(iso[1])}, ${Number(iso[2])}, ${Number(iso[3])})`
      return american === null
        ? undefined
        : `DATE(${Number(american[3])}, ${Number(american[1])}, ${Number(american[2])})`
    }
    case 'boolean':
      return /^(true|1)$/i.test(value) ? 'TRUE' : /^(false|0)$/i.test(value) ? 'FALSE' : undefined
    case 'datetime':
    case 'time':
    case 'multipicklist':
      return undefined
    default:
      return quote(value)
  }
}

/** Whether the field has one of the values, as a formula. */
function makeEquality(name: string, type: FieldFile['type'], value: string): string | undefined {
  if (value === '') return type === 'picklist' ? `ISPICKVAL(${name}, "")` : `ISBLANK(${name})`
  // A comma stands between values, any of which is meant.
  const values = value.split(',').map((one) => one.trim())
  const conditions = values.map((one) => {
    if (type === 'picklist') return `ISPICKVAL(${name}, ${quote(one)})`
    const literal = toLiteral(type, one)
    return literal === undefined ? undefined : `${name} = ${literal}`
  })
  if (conditions.some((one) => one === undefined)) return undefined
  return conditions.length === 1 ? conditions[0] : `OR(${conditions.join(', ')})`
}

/** Whether the text has, or begins with, one of the values. */
const makeTextTest = (call: string, name: string, type: FieldFile['type'], value: string) => {
  const text = type === 'picklist' ? `TEXT(${name})` : name
  const tests = value.split(',').map((one) => `${call}(${text}, ${quote(one.trim())})`)
  return tests.length === 1 ? tests[0] : `OR(${tests.join(', ')})`
}

const negate = (condition: string | undefined) => (condition === undefined ? undefined : `NOT(${condition})`)

/**
 * The condition as a formula of the detail.
 * @param field the field that the filter names; undefined when it is not known
 * @returns undefined: there is no formula for it
 */
export function makeFilter(
  { path, operation, value, valueField }: SummaryFilter,
  field: FieldFile | undefined,
): string | undefined {
  const type = field?.type
  if (type === undefined) return undefined
  const name = path.slice(path.indexOf('.') + 1)
  const other = valueField?.slice(valueField.indexOf('.') + 1)
  const comparison = COMPARISONS[operation]
  if (comparison !== undefined) {
    const right = other ?? toLiteral(type, value)
    return right === undefined ? undefined : `${name} ${comparison} ${right}`
  }
  if (other !== undefined) {
    const equal = `${name} = ${other}`
    return operation === 'equals' ? equal : operation === 'notEqual' ? negate(equal) : undefined
  }
  const test = (call: string) => makeTextTest(call, name, type, value)
  switch (operation) {
    case 'equals':
      return makeEquality(name, type, value)
    case 'notEqual':
      return negate(makeEquality(name, type, value))
    case 'contains':
      return test('CONTAINS')
    case 'notContain':
      return negate(test('CONTAINS'))
    case 'startsWith':
      return test('BEGINS')
    case 'includes':
      return type === 'multipicklist' ? makeIncludes(name, value) : undefined
    case 'excludes':
      return type === 'multipicklist' ? negate(makeIncludes(name, value)) : undefined
    default:
      return undefined
  }
}

function makeIncludes(name: string, value: string): string {
  const tests = value.split(',').map((one) => `INCLUDES(${name}, ${quote(one.trim())})`)
  return tests.length === 1 ? tests[0]! : `OR(${tests.join(', ')})`
}
