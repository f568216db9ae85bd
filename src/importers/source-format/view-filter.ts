import {
  findViewField,
  isTextField,
  RECORD_TYPE,
  type ViewField,
} from '../../definitions/list-views/find-view-field.ts'
import { MAX_FILTER_VALUES } from '../../definitions/list-views/view-bounds.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { combineFilters } from './boolean-filter.ts'
import type { Project } from './fields/field-source.ts'
import { splitValues } from './fields/split-values.ts'
import type { MetadataElement } from './project/metadata-element.ts'

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['equals', '='],
  ['notEqual', '!='],
  ['lessThan', '<'],
  ['greaterThan', '>'],
  ['lessOrEqual', '<='],
  ['greaterOrEqual', '>='],
])

/** Patterns of the operations on parts of texts. */
const PATTERNS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['contains', (text) => `%${text}%`],
  ['notContain', (text) => `%${text}%`],
  ['startsWith', (text) => `${text}%`],
])

const escapeText = (text: string) => text.replaceAll(/[\\']/g, (mark) => `\\${mark}`).replaceAll('\n', '\\n')

const quote = (text: string) => `'${escapeText(text)}'`

const quotePattern = (makePattern: (text: string) => string, text: string) =>
  `'${makePattern(escapeText(text).replaceAll(/[%_]/g, (mark) => `\\${mark}`))}'`

/** `1,234.5`, which quotes keep together in a list, as a query writes it. */
const writeNumber = (value: string) =>
  /^-?(\d{1,18}|\d{1,3}(,\d{3}){1,5})(\.\d{1,18})?$/.test(value) ? value.replaceAll(',', '') : undefined

/** A value as a query writes it; undefined: what it means depends on a locale, or is not known. */
function writeLiteral(field: ViewField, value: string): string | undefined {
  // `Project__c.Internal` is a record type of the object.
  if (field.type === RECORD_TYPE) return quote(value.slice(value.lastIndexOf('.') + 1))
  if (isTextField(field)) return quote(value)
  const { literal } = FIELD_TYPES[field.type]
  switch (literal) {
    case 'boolean':
      return /^(1|true)$/i.test(value) ? 'TRUE' : /^(0|false)$/i.test(value) ? 'FALSE' : undefined
    case 'int':
    case 'double':
      return writeNumber(value)
    case 'date':
    case 'dateTime':
      if (/^[A-Z][A-Z_]{1,40}(:\d{1,4})?$/i.test(value)) return value.toUpperCase()
      return literal === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined
    default:
      return undefined
  }
}

const join = (terms: readonly string[], operator: 'AND' | 'OR') =>
  terms.length === 1 ? terms[0]! : `(${terms.join(` ${operator} `)})`

/** Of several values one has to be equal, or none. */
function compare(field: ViewField, operation: string, values: readonly string[]): string | undefined {
  const operator = COMPARISONS.get(operation)!
  const isEquality = operator === '=' || operator === '!='
  if (values.length === 0) return isEquality ? `${field.path} ${operator} null` : undefined
  if (values.length > 1 && !isEquality) return undefined
  const literals = values.map((value) => (value === '' && isEquality ? 'null' : writeLiteral(field, value)))
  if (literals.includes(undefined)) return undefined
  return join(
    literals.map((literal) => `${field.path} ${operator} ${literal}`),
    operator === '=' ? 'OR' : 'AND',
  )
}

/** Chosen values: `INCLUDES ('A', 'B')`. */
function compareChosen(
  { path }: ViewField,
  operation: string,
  values: readonly string[],
): string | undefined {
  if (values.length === 0) {
    if (operation === 'equals') return `${path} = null`
    return operation === 'notEqual' ? `${path} != null` : undefined
  }
  const operator = { includes: 'INCLUDES', excludes: 'EXCLUDES' }[operation]
  if (values.includes('')) return undefined
  return operator && `${path} ${operator} (${values.map(quote).join(', ')})`
}

function makeCondition(field: ViewField, operation: string, values: readonly string[]): string | undefined {
  if (field.type !== RECORD_TYPE && FIELD_TYPES[field.type].operators.includes('includes'))
    return compareChosen(field, operation, values)
  if (COMPARISONS.has(operation)) return compare(field, operation, values)
  const makePattern = PATTERNS.get(operation)
  if (makePattern === undefined || values.length === 0 || !isTextField(field)) return undefined
  if (values.includes('')) return undefined
  const matches = values.map((value) => `${field.path} LIKE ${quotePattern(makePattern, value)}`)
  const any = join(matches, 'OR')
  return operation === 'notContain' ? `(NOT ${any})` : any
}

/** The condition of a list view, or why it has none here. */
type Condition = { readonly where: string | undefined } | { readonly reason: string }

/** Reads the filters of a list view and how they belong together. */
export function readViewFilters(project: Project, object: string, xml: MetadataElement): Condition {
  const conditions: string[] = []
  for (const filter of xml.all('filters')) {
    const [name, operation] = [filter.text('field') ?? '', filter.text('operation') ?? '']
    const text = filter.text('value') ?? ''
    const values = splitValues(text)
    const field = findViewField(project.fieldAt, object, name)
    const condition =
      field === undefined || values.length > MAX_FILTER_VALUES
        ? undefined
        : makeCondition(field, operation, values)
    if (condition === undefined) return { reason: `its filter ${name} ${operation} ${text}`.trim() }
    conditions.push(condition)
  }
  const logic = xml.text('booleanFilter')
  if (conditions.length === 0)
    return logic === undefined ? { where: undefined } : { reason: `its logic ${logic}` }
  const where = combineFilters(logic, conditions)
  return where === undefined ? { reason: `its logic ${logic}` } : { where }
}
