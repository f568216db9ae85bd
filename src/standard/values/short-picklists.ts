import type { PicklistValue } from '../../schema/fields/field-definition.ts'

export const RATING_VALUES = ['Hot', 'Warm', 'Cold'] as const

export const SALUTATION_VALUES = ['Mr.', 'Ms.', 'Mrs.', 'Dr.', 'Prof.', 'Mx.'] as const

export const LEAD_SOURCE_VALUES = [
  'Web',
  'Phone Inquiry',
  'Partner Referral',
  'Purchased List',
  'Other',
] as const

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

/** The part that a contact plays in a deal or for an account. */
export const CONTACT_ROLE_VALUES = [
  'Business User',
  'Decision Maker',
  'Economic Buyer',
  'Economic Decision Maker',
  'Evaluator',
  'Executive Sponsor',
  'Influencer',
  'Technical Buyer',
  'Other',
] as const

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

/** The names that people see of forecast categories, by their values. */
export const FORECAST_CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['Omitted', 'Omitted'],
  ['Pipeline', 'Pipeline'],
  ['BestCase', 'Best Case'],
  ['MostLikely', 'Most Likely'],
  ['Forecast', 'Commit'],
  ['Closed', 'Closed'],
])

export const EMAIL_ENCODING_VALUES: readonly PicklistValue[] = [
  { value: 'UTF-8', label: 'Unicode (UTF-8)' },
  { value: 'ISO-8859-1', label: 'General US & Western Europe (ISO-8859-1, ISO-LATIN-1)' },
  { value: 'Shift_JIS', label: 'Japanese (Shift-JIS)' },
  { value: 'ISO-2022-JP', label: 'Japanese (JIS)' },
  { value: 'EUC-JP', label: 'Japanese (EUC)' },
  { value: 'ks_c_5601-1987', label: 'Korean (ks_c_5601-1987)' },
  { value: 'Big5', label: 'Traditional Chinese (Big5)' },
  { value: 'GB2312', label: 'Simplified Chinese (GB2312)' },
  { value: 'Big5-HKSCS', label: 'Traditional Chinese Hong Kong (Big5-HKSCS)' },
  { value: 'x-SJIS_0213', label: 'Japanese (Shift-JIS_2004)' },
]
