import type { FieldType } from './field-type.ts'

/** A field that is shown from its parts and written through them: it has no column. */
export function compoundType(
  differences: Pick<
    FieldType,
    | 'name'
    | 'label'
    | 'graphql'
    | 'soapType'
    | 'typescript'
    | 'sourceFormat'
    | 'makeParts'
    | 'compose'
    | 'coordinates'
  > &
    Partial<FieldType>,
): FieldType {
  return {
    describedAs: differences.name,
    file: { properties: ['trackHistory'] },
    inColumns: undefined,
    // The history has its parts.
    history: { dataType: 'Text' },
    column: () => undefined,
    parameter: 'text',
    // Any value is accepted here, because the check for writable fields refuses it with a better error.
    coerce: () => null,
    literal: 'string',
    operators: [],
    sortable: false,
    groupable: false,
    aggregatable: false,
    facts: () => ({ queryByDistance: true }),
    ...differences,
  }
}
