/** What an attachment can hang on. */
export const ATTACHMENT_PLACES: readonly string[] = [
  'Account',
  'Asset',
  'Campaign',
  'Case',
  'Contact',
  'Contract',
  'Event',
  'Lead',
  'Opportunity',
  'Order',
  'Product2',
  'Quote',
  'Task',
]

/** Where a file can be: with people too. */
export const FILE_PLACES: readonly string[] = [...ATTACHMENT_PLACES, 'Group', 'Organization', 'User'].sort()
