import { sql } from '../../base/sql.ts'
import { type FieldType, WrongKind } from './field-type.ts'
import { FORMULA } from './type-in-files.ts'

/** Files of rows write yes and no in several ways. */
const TEXTS: Readonly<Record<string, string>> = {
  1: 'true',
  yes: 'true',
  y: 'true',
  t: 'true',
  0: 'false',
  no: 'false',
  n: 'false',
  f: 'false',
}

export const boolean: FieldType = {
  name: 'boolean',
  label: 'Checkbox',
  graphql: 'Boolean',
  describedAs: 'boolean',
  soapType: 'xsd:boolean',
  typescript: 'boolean',
  file: { properties: [...FORMULA, 'defaultFormula', 'trackHistory', 'computed'], default: 'flag' },
  sourceFormat: { name: 'Checkbox', reads: [] },
  inColumns: {
    has: (value) => /^(?:true|false)$/i.test(value),
    makeField: () => ({ because: 'true and false' }),
  },
  importedFrom: { boolean: undefined },
  history: { dataType: 'Boolean' },
  column: () => 'boolean',
  parameter: 'boolean',
  csvText: (column) => sql`${column}::text`,
  columnDefault: (field) => String(field.definition.default === true),
  alwaysFilled: true,
  emptyValue: false,
  controllingValues: () => ['false', 'true'],
  readText: (text) => TEXTS[text.trim().toLowerCase()] ?? text,
  coerce(value) {
    if (typeof value === 'boolean') return value
    const text = typeof value === 'string' ? value.trim().toLowerCase() : undefined
    if (text === 'true') return true
    if (text === 'false') return false
    throw new WrongKind('boolean')
  },
  inEvents: true,
  literal: 'boolean',
  formula: { type: 'Boolean', isResult: true },
  operators: ['equality'],
  sortable: true,
  groupable: true,
  aggregatable: false,
}
