/** Objects that can have attachments. */
export const ATTACHMENT_LOCATIONS: readonly string[] = [
  'Account',
  'Asset',
  'Campaign',
  'Case',
  'Contact',
  'Contract',
  'EmailMessage',
  'Event',
  'Lead',
  'Opportunity',
  'Order',
  'Product2',
  'Quote',
  'Task',
]

/** Objects that can have notes. */
export const NOTE_LOCATIONS: readonly string[] = [
  'Account',
  'Asset',
  'Contact',
  'Contract',
  'Lead',
  'Opportunity',
  'Order',
  'Product2',
  'Quote',
]

/** Where a file can be: with people too. */
export const FILE_LOCATIONS: readonly string[] = [
  ...ATTACHMENT_LOCATIONS,
  'Group',
  'Organization',
  'User',
].sort()
