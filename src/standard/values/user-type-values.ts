import type { PicklistValue } from '../../schema/definitions/definition.ts'

export const USER_TYPE_VALUES: readonly PicklistValue[] = [
  { value: 'Standard', default: true },
  { value: 'PowerPartner', label: 'Partner' },
  { value: 'PowerCustomerSuccess', label: 'Customer Portal Manager' },
  { value: 'CustomerSuccess', label: 'Customer Portal User' },
  { value: 'Guest' },
  { value: 'CspLitePortal', label: 'High Volume Portal' },
  { value: 'CsnOnly', label: 'CSN Only' },
  { value: 'SelfService', label: 'Self Service' },
]
