/** Where a file can be. */
export const FILE_PLACES = [
  'Account',
  'Asset',
  'Campaign',
  'Case',
  'Contact',
  'Contract',
  'Event',
  'Group',
  'Lead',
  'Opportunity',
  'Order',
  'Organization',
  'Product2',
  'Quote',
  'Task',
  'User',
] as const
