export const LEAD_SOURCE_VALUES = [
  'Web',
  'Phone Inquiry',
  'Partner Referral',
  'Purchased List',
  'Other',
] as const
