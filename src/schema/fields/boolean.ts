import { type FieldType, WrongKind } from './field-type.ts'

export const boolean: FieldType = {
  name: 'boolean',
  graphql: 'Boolean',
  describedAs: 'boolean',
  soapType: 'xsd:boolean',
  column: () => 'boolean',
  parameter: 'boolean',
  columnDefault: (field) => String(field.definition.default === true),
  alwaysFilled: true,
  emptyValue: false,
  controllingValues: () => ['false', 'true'],
  coerce(value) {
    if (typeof value === 'boolean') return value
    const text = typeof value === 'string' ? value.trim().toLowerCase() : undefined
    if (text === 'true') return true
    if (text === 'false') return false
    throw new WrongKind('boolean')
  },
  literal: 'boolean',
  formula: { type: 'Boolean', isResult: true },
  operators: ['equality'],
  sortable: true,
  groupable: true,
  aggregatable: false,
}
