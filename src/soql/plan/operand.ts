import type { LiteralKind, OperatorGroup } from '../../schema/fields/field-type.ts'
import type { Operand } from './plan.ts'

/** What may be done with an operand, and what it is compared with. */
export interface OperandFacts {
  /** For messages. */
  readonly name: string
  readonly typeName: string
  readonly literal: LiteralKind
  readonly operators: readonly OperatorGroup[]
  readonly sortable: boolean
  /** Amounts with a currency may stand for its values. */
  readonly currency: boolean
  /** Named dates may stand for its values. */
  readonly namedDates: boolean
}

const computed = (name: string, literal: LiteralKind): OperandFacts => ({
  name,
  typeName: literal,
  literal,
  operators: ['equality', 'order'],
  sortable: true,
  currency: false,
  namedDates: false,
})

export function factsOf(operand: Operand): OperandFacts {
  switch (operand.kind) {
    case 'field': {
      const { type, name } = operand.field
      return {
        name,
        typeName: type.literal === 'id' ? 'id' : type.describedAs,
        literal: type.literal,
        operators: type.operators,
        sortable: type.sortable,
        currency: type.name === 'currency',
        namedDates: type.literal === 'date' || type.literal === 'dateTime',
      }
    }
    case 'datePart':
      return computed(operand.function, operand.function === 'DAY_ONLY' ? 'date' : 'int')
    case 'aggregate': {
      if (operand.function === 'MIN' || operand.function === 'MAX') {
        return { ...factsOf({ kind: 'field', ...operand.of! }), currency: false }
      }
      return computed(operand.function, operand.function.startsWith('COUNT') ? 'int' : 'double')
    }
    case 'grouping':
      return computed('GROUPING', 'int')
    case 'distance':
      return computed('DISTANCE', 'double')
  }
}

/** Whether two operands are the same expression. */
export function sameOperand(a: Operand, b: Operand): boolean {
  if (a.kind !== b.kind) return false
  if (a.kind === 'aggregate' && b.kind === 'aggregate') {
    return a.function === b.function && a.of?.source === b.of?.source && a.of?.field === b.of?.field
  }
  if (a.kind === 'aggregate' || b.kind === 'aggregate') return false
  if (a.kind === 'grouping' && b.kind === 'grouping') return sameOperand(a.of, b.of)
  if (a.kind === 'grouping' || b.kind === 'grouping') return false
  if (a.source !== b.source || a.field !== b.field) return false
  if (a.kind === 'datePart' && b.kind === 'datePart') return a.function === b.function && a.zoned === b.zoned
  return a.kind !== 'distance'
}
