import type { FieldDefinition } from '../../schema/fields/field-definition.ts'

/** For a field that only the platform sets. */
export const notWritable = { createable: false, updateable: false } as const

/** For a field that the platform computes of others: visible to those who see these. */
export const derivedFrom = (
  ...fields: readonly string[]
): Pick<FieldDefinition, 'createable' | 'updateable' | 'derivedFrom'> => ({
  ...notWritable,
  derivedFrom: fields,
})
