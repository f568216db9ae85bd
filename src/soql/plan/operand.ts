import { getOperators, isSortable } from '../../schema/fields/field.ts'
import type { LiteralKind, OperatorGroup } from '../../schema/fields/field-type.ts'
import { maxBytes } from '../../schema/fields/max-bytes.ts'
import type { Operand } from './plan.ts'

/** Which operators an operand allows, and which literals it is compared with. */
export interface OperandFacts {
  /** Name in error messages. */
  readonly name: string
  readonly typeName: string
  readonly literal: LiteralKind
  readonly operators: readonly OperatorGroup[]
  readonly sortable: boolean
  /** True if it can be compared with currency literals. */
  readonly currency: boolean
  /** True if it can be compared with named date literals. */
  readonly namedDates: boolean
}

const makeComputedFacts = (name: string, literal: LiteralKind): OperandFacts => ({
  name,
  typeName: literal,
  literal,
  operators: ['equality', 'order'],
  sortable: true,
  currency: false,
  namedDates: false,
})

export function getOperandFacts(operand: Operand): OperandFacts {
  switch (operand.kind) {
    case 'field': {
      const { field } = operand
      const { type, name } = field
      return {
        name,
        typeName: type.literal === 'id' ? 'id' : type.describedAs,
        literal: type.literal,
        operators: getOperators(field),
        sortable: isSortable(field),
        currency: type.currency === true,
        namedDates: type.literal === 'date' || type.literal === 'dateTime',
      }
    }
    case 'datePart': {
      const isDay = operand.function === 'DAY_ONLY'
      return { ...makeComputedFacts(operand.function, isDay ? 'date' : 'int'), namedDates: isDay }
    }
    case 'aggregate': {
      if (operand.function === 'MIN' || operand.function === 'MAX') {
        return { ...getOperandFacts({ kind: 'field', ...operand.of! }), currency: false }
      }
      return makeComputedFacts(operand.function, operand.function.startsWith('COUNT') ? 'int' : 'double')
    }
    case 'grouping':
      return makeComputedFacts('GROUPING', 'int')
    case 'distance':
      return makeComputedFacts('DISTANCE', 'double')
  }
}

/** True if two operands are the same expression. */
export function isSameOperand(a: Operand, b: Operand): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'aggregate' && b.kind === 'aggregate') {
    return a.function === b.function && a.of?.source === b.of?.source && a.of?.field === b.of?.field
  }
  if (a.kind === 'aggregate' || b.kind === 'aggregate') return false
  if (a.kind === 'grouping' && b.kind === 'grouping') return isSameOperand(a.of, b.of)
  if (a.kind === 'grouping' || b.kind === 'grouping') return false
  if (a.source !== b.source || a.field !== b.field) return false
  if (a.kind === 'datePart' && b.kind === 'datePart') return a.function === b.function && a.zoned === b.zoned
  return a.kind !== 'distance'
}

/** Numbers, dates and the like. */
const SHORT_BYTES = 40

/** Returns the maximum size of a value in an answer, in bytes, without its name. */
export function maxOperandBytes(operand: Operand): number {
  if (operand.kind === 'field') return maxBytes(operand.field)
  return operand.kind === 'aggregate' && operand.of !== undefined ? maxBytes(operand.of.field) : SHORT_BYTES
}
