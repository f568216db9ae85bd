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
