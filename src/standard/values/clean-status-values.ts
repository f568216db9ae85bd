import type { PicklistValue } from '../../schema/definitions/definition.ts'

export const CLEAN_STATUS_VALUES: readonly PicklistValue[] = [
  { value: 'Matched', label: 'In Sync' },
  { value: 'Different' },
  { value: 'Acknowledged', label: 'Reviewed' },
  { value: 'NotFound', label: 'Not Found' },
  { value: 'Inactive' },
  { value: 'Pending', label: 'Not Compared' },
  { value: 'SelectMatch', label: 'Select Match' },
  { value: 'Skipped' },
]
