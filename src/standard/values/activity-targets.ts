/** Objects that a task or an event can be about. */
export const ACTIVITY_TARGETS = [
  'Account',
  'Asset',
  'Campaign',
  'Case',
  'Contract',
  'Opportunity',
  'Order',
  'Product2',
  'Quote',
] as const
