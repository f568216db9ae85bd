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
