import type { FieldType } from './field-type.ts'

/** A field that is shown from its parts and written through them: it has no column. */
export function compoundType(
  differences: Pick<FieldType, 'name' | 'graphql' | 'soapType' | 'compose'> & Partial<FieldType>,
): FieldType {
  return {
    describedAs: differences.name,
    column: () => undefined,
    parameter: 'text',
    // Whatever is given: nobody may write the field itself, and that is what the client is told.
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
