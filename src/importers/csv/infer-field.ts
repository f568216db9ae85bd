import type { FieldFile } from '../../definitions/formats/field-file.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { ColumnFacts } from './column-facts.ts'

/** The inferred field of a column, and the reason. */
export interface Inferred {
  readonly field: FieldFile
  readonly because: string
}

const MAX_STRING_LENGTH = 255
const MAX_TEXT_LENGTH = 131_072

/** Minimum rows of a picklist. */
const LIST_ROWS = 20
const LIST_REPEATS = 5
const MAX_LISTED_LENGTH = 40

/** Words at the end of the header of a key. */
const KEY = /(?:^|[^a-z])(?:id|key|code|number|no|nr|num|sku|ean|isbn|uuid|guid|ref|reference)$/i

/** Recognizes both `customerId` and `Customer ID`. */
export const mayBeKey = (header: string) =>
  KEY.test(
    header
      .trim()
      .replace(/__c$/i, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2'),
  )

/** A length with reserve for longer values than those in the file. */
function addReserve(longest: number): number {
  return [40, 80, 120].find((length) => length >= longest * 1.5) ?? MAX_STRING_LENGTH
}

function list(facts: ColumnFacts): Inferred | undefined {
  const { listed, filled, longest, isMultiline } = facts
  if (listed === undefined || filled < LIST_ROWS || listed.size * LIST_REPEATS > filled) return undefined
  if (longest > MAX_LISTED_LENGTH || isMultiline) return undefined
  return {
    field: { type: 'picklist', values: [...listed.values()].sort() },
    because: `${listed.size} different values`,
  }
}

export function inferText({ longest, isMultiline }: ColumnFacts): Inferred {
  if (longest > MAX_STRING_LENGTH) {
    const length = Math.min(Math.max(32_768, longest * 2), MAX_TEXT_LENGTH)
    const tooLong = longest > MAX_TEXT_LENGTH ? ', which is more than a field holds' : ''
    return {
      field: { type: 'longtextarea', length },
      because: `texts of up to ${longest} characters${tooLong}`,
    }
  }
  if (isMultiline) return { field: { type: 'textarea' }, because: `texts of several lines` }
  const because = `texts of up to ${longest} characters`
  return { field: { type: 'string', length: addReserve(longest) }, because }
}

/** The first type that holds the values. One that the header names goes before the others: a phone number may look like an integer. */
function findType(facts: ColumnFacts, header: string): Inferred | undefined {
  const named = [...facts.types].filter(({ inColumns }) => inColumns.header?.test(header))
  const others = [...facts.types].filter(({ inColumns }) => inColumns.header === undefined)
  for (const { name, inColumns } of named.length > 0 ? named : others) {
    const { because, ...properties } = inColumns.makeField(facts) ?? {}
    if (because !== undefined) return { field: { type: name, ...properties }, because }
  }
  return undefined
}

/** Infers the field for the values of a column. */
export function inferField(header: string, facts: ColumnFacts): Inferred {
  if (facts.filled === 0) return { field: { type: 'string' }, because: 'no values at all' }
  const isKey = mayBeKey(header)
  const inferred = findType(facts, header) ?? (isKey ? undefined : list(facts)) ?? inferText(facts)
  const { file, decimal } = FIELD_TYPES[inferred.field.type!]
  if (!isKey || !file!.properties.includes('unique')) return inferred
  if (decimal === true ? !facts.uniqueNumbers : facts.unique === undefined) return inferred
  const caseSensitive = decimal !== true && facts.unique === 'exactly'
  return {
    field: { ...inferred.field, unique: true, externalId: true, ...(caseSensitive && { caseSensitive }) },
    because: `${inferred.because}, none of them twice`,
  }
}
