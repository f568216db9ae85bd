import type { FieldRef, Operand } from '../../soql/plan/plan.ts'

/** `Account.Owner.Name` */
function pathOf({ source, field }: FieldRef): string {
  const names = [field.name]
  for (let via = source.via; via !== undefined; via = via.source.via) {
    names.unshift(via.field.definition.relationship!)
  }
  return names.join('.')
}

/** How an operand is called in messages: as the query language writes it. */
export function operandText(operand: Operand): string {
  switch (operand.kind) {
    case 'field':
      return pathOf(operand)
    case 'datePart':
      return `${operand.function}(${pathOf(operand)})`
    case 'aggregate':
      return `${operand.function}(${operand.of === undefined ? '' : pathOf(operand.of)})`
    case 'grouping':
      return `GROUPING(${operandText(operand.of)})`
    case 'distance':
      return `DISTANCE(${pathOf(operand)})`
  }
}
