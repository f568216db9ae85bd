import { ApiError } from '../../base/api-error.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { Field } from './field.ts'
import type { FieldDefinition } from './field-definition.ts'
import { type DescribedFacts, type FieldType, type TypeFacts, WrongKind } from './field-type.ts'
import { KEY, STORED, type TypeInFiles } from './type-in-files.ts'

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

/** The label of a type, with the length of the field. */
export const labelWithLength =
  (name: string) =>
  ({ definition }: Field): string =>
    `${name}(${definition.length})`

/** Most characters of a short text. */
export const MAX_SHORT_LENGTH = 255

/** True if a describe says that a text is HTML. */
export const isRichText = ({ extraTypeInfo, htmlFormatted }: DescribedFacts): boolean =>
  htmlFormatted || extraTypeInfo === 'richtextarea'

/** In definition files, a text that may be a key. */
export const shortTextFile = (length: number): TypeInFiles => ({
  properties: [...STORED, ...KEY, 'caseSensitive'],
  defaults: { length },
  maxLength: MAX_SHORT_LENGTH,
  default: 'text',
})

/** In definition files, a text that is no key. */
export const longTextFile = (length: number, maxLength = 131_072): TypeInFiles => ({
  properties: STORED,
  defaults: { length },
  maxLength,
  default: 'text',
})

type TextType = Partial<FieldType> & Pick<FieldType, 'name' | 'label' | 'file' | 'sourceFormat'>

/** Base of the short text types. */
export function textType(differences: TextType): FieldType {
  return {
    graphql: 'String',
    describedAs: differences.name,
    soapType: 'xsd:string',
    typescript: 'string',
    inColumns: undefined,
    history: { dataType: 'Text' },
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
export function longTextType(differences: TextType): FieldType {
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
