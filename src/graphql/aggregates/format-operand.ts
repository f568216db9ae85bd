import type { FieldRef, Operand } from '../../soql/plan/plan.ts'

/** `Account.Owner.Name` */
function formatPath({ source, field }: FieldRef): string {
  const names = [field.name]
  for (let via = source.via; via !== undefined; via = via.source.via) {
    names.unshift(via.field.definition.relationship!)
  }
  return names.join('.')
}

/** An operand as error messages show it, in SOQL. */
export function formatOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'field':
      return formatPath(operand)
    case 'datePart':
      return `${operand.function}(${formatPath(operand)})`
    case 'aggregate':
      return `${operand.function}(${operand.of === undefined ? '' : formatPath(operand.of)})`
    case 'grouping':
      return `GROUPING(${formatOperand(operand.of)})`
    case 'distance':
      return `DISTANCE(${formatPath(operand)})`
  }
}
