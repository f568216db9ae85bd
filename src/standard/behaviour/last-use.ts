import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { notWritable } from './not-writable.ts'

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
