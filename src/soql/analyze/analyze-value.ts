import { canonicalRecordId } from '../../base/record-id.ts'
import type { LiteralKind } from '../../schema/fields/field-type.ts'
import type { LikePattern, Literal } from '../parse/literal.ts'
import { queryError } from '../parse/query-error.ts'
import type { OperandFacts } from '../plan/operand.ts'
import type { PlanValue } from '../plan/plan.ts'

/** The literals that each kind of operand accepts. (docs/reference/api/queries.md#literals) */
const LITERALS_BY_KIND: Readonly<Record<LiteralKind, readonly (Literal | LikePattern)['kind'][]>> = {
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

function fits(facts: OperandFacts, literal: Literal | LikePattern): boolean {
  if (literal.kind === 'currency') return facts.currency
  return LITERALS_BY_KIND[facts.literal].includes(literal.kind)
}

/**
 * The stored form of a literal that an operand is compared with. Named dates have no stored form; callers handle those
 * that the operand accepts.
 * @returns null for `null`; an empty string as it is, which the operator decides about
 */
export function analyzeValue(
  facts: OperandFacts,
  literal: Literal | LikePattern,
  text: string,
): PlanValue | null {
  if (literal.kind === 'null') return null
  if (!fits(facts, literal)) {
    const kind = facts.literal
    const enclosed = QUOTED.includes(kind) ? 'should be enclosed' : 'should not be enclosed'
    throw queryError(
      'INVALID_FIELD',
      text,
      literal.at,
      `value of filter criterion for field '${facts.name}' must be of type ${kind} and ${enclosed} in quotes`,
    )
  }
  switch (literal.kind) {
    case 'number':
    case 'currency':
      return literal.text
    case 'string':
    case 'pattern':
      return facts.literal === 'id' && literal.value !== ''
        ? analyzeId(literal.value, literal.at, text)
        : literal.value
    case 'boolean':
    case 'date':
    case 'datetime':
    case 'time':
      return literal.value
    case 'dateLiteral':
      throw new Error('a named date has no stored form')
  }
}

function analyzeId(value: string, at: number, text: string): string {
  const id = canonicalRecordId(value)
  if (id === undefined) {
    throw queryError('INVALID_QUERY_FILTER_OPERATOR', text, at, `invalid ID field: ${value.slice(0, 255)}`)
  }
  return id
}
