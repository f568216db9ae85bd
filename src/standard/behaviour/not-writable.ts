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

/** When the caller used a record last: null for everybody who never did. (docs/reference/api/records.md#audit-fields) */
export const LAST_USE: readonly FieldDefinition[] = [
  { name: 'LastViewedDate', label: 'Last Viewed Date', type: 'datetime', recent: 'viewed', ...notWritable },
  {
    name: 'LastReferencedDate',
    label: 'Last Referenced Date',
    type: 'datetime',
    recent: 'referenced',
    ...notWritable,
  },
]
