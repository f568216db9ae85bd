import { ApiError } from '../../base/api-error.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { FieldDefinition } from '../definitions/definition.ts'
import type { Field } from './field.ts'
import { type FieldType, type TypeFacts, WrongKind } from './field-type.ts'

/** Trims a text; an empty result is null. (docs/reference/api/records.md#field-values) */
export function coerceText(value: unknown): string | null {
  if (typeof value !== 'string') throw new WrongKind('string')
  const text = value.trim()
  if (text.includes('\0')) throw new WrongKind('string')
  return text === '' ? null : text
}

/** Length in characters, as the describe counts them: a character outside the basic plane counts once, and is two units. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** True if a text has more characters. They are counted only when the length in UTF-16 units does not decide. */
export const isLonger = (text: string, max: number): boolean =>
  text.length <= max || text.length > 2 * max ? text.length > max : countCharacters(text) > max

/** @param show formats the text for the message */
export function refuseTooLong(text: string, field: Field, show: (text: string) => string): void {
  const max = field.definition.length!
  if (isLonger(text, max)) {
    throw new ApiError(
      'STRING_TOO_LONG',
      `${field.label}: data value too large: ${show(text.length > 1000 ? `${text.slice(0, 1000).toWellFormed()}...` : text)} (max length=${max})`,
      { fields: [field.name] },
    )
  }
}

export const validateLength = (value: ColumnValue, field: Field): void =>
  refuseTooLong(value as string, field, (text) => text)

/**
 * Text is compared without case, on upper-case code points, so that an index of the same expression serves
 * equality, prefixes and order alike. (docs/reference/api/queries.md#text, docs/reference/api/queries.md#order-limit-and-offset)
 */
function foldCase(expression: Sql, field: Field): Sql {
  return field.definition.caseSensitive === true
    ? sql`${expression} collate "C"`
    : sql`upper(${expression}) collate "C"`
}

export function textFacts(field: FieldDefinition): TypeFacts {
  return { length: field.length!, byteLength: field.length! * 3 }
}

/** Base of the short text types. */
export function textType(differences: Partial<FieldType> & Pick<FieldType, 'name'>): FieldType {
  return {
    graphql: 'String',
    describedAs: differences.name,
    soapType: 'xsd:string',
    column: () => 'text',
    parameter: 'text',
    coerce: coerceText,
    validate: validateLength,
    csvText: (column) => column,
    comparable: foldCase,
    literal: 'string',
    formula: { type: 'Text' },
    operators: ['equality', 'order', 'like'],
    sortable: true,
    groupable: true,
    aggregatable: true,
    facts: textFacts,
    ...differences,
  }
}

/** Long texts can be read and written, not compared. */
export function longTextType(differences: Partial<FieldType> & Pick<FieldType, 'name'>): FieldType {
  return textType({
    describedAs: 'textarea',
    comparable: undefined,
    formula: { type: 'Text', inRulesOnly: true },
    operators: [],
    sortable: false,
    groupable: false,
    aggregatable: false,
    ...differences,
  })
}
