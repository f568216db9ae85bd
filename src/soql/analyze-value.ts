import { canonicalRecordId } from '../base/record-id.ts'
import type { Field } from '../schema/field.ts'
import type { LiteralKind } from '../schema/fields/field-type.ts'
import type { LikePattern, Literal } from './literal.ts'
import type { PlanValue } from './plan.ts'
import { refusal } from './refusal.ts'

/** Which literals fit a field. (contract/soql 5.2) */
const FITTING: Readonly<Record<LiteralKind, readonly (Literal | LikePattern)['kind'][]>> = {
  string: ['string', 'pattern'],
  id: ['string'],
  boolean: ['boolean'],
  int: ['number'],
  double: ['number'],
  date: ['date'],
  dateTime: ['datetime'],
  time: ['time'],
}

const QUOTED: readonly LiteralKind[] = ['string', 'id']

/**
 * The stored form of a literal that a field is compared with.
 * @returns null for `null`, and for an empty text, which is the same
 */
export function analyzeValue(field: Field, literal: Literal | LikePattern, text: string): PlanValue | null {
  if (literal.kind === 'null') return null
  const kind = field.type.literal
  if (literal.kind === 'dateLiteral' && (kind === 'date' || kind === 'dateTime')) {
    throw refusal('MALFORMED_QUERY', text, literal.at, 'Named dates are not supported yet')
  }
  if (literal.kind === 'currency' && field.type.name === 'currency') {
    throw refusal('MALFORMED_QUERY', text, literal.at, 'Amounts with a currency are not supported yet')
  }
  if (!FITTING[kind].includes(literal.kind)) {
    const enclosed = QUOTED.includes(kind) ? 'should be enclosed' : 'should not be enclosed'
    throw refusal(
      'INVALID_FIELD',
      text,
      literal.at,
      `value of filter criterion for field '${field.name}' must be of type ${kind} and ${enclosed} in quotes`,
    )
  }
  switch (literal.kind) {
    case 'number':
      return literal.text
    case 'string':
    case 'pattern':
      if (literal.value === '') return null
      return kind === 'id' ? analyzeId(literal.value, literal.at, text) : literal.value
    case 'boolean':
    case 'date':
    case 'datetime':
    case 'time':
      return literal.value
    default:
      throw refusal('MALFORMED_QUERY', text, literal.at, 'This kind of value is not supported yet')
  }
}

function analyzeId(value: string, at: number, text: string): string {
  const id = canonicalRecordId(value)
  if (id === undefined) {
    throw refusal('INVALID_QUERY_FILTER_OPERATOR', text, at, `invalid ID field: ${value.slice(0, 255)}`)
  }
  return id
}
