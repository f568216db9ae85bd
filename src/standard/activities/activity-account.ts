import type { DerivedRecord } from '../behaviour/derived-record.ts'

/** Sources of the account of a task or an event. */
export const ACTIVITY_ACCOUNT = { WhatId: ['AccountId'], WhoId: ['AccountId'] }

/** The account that an activity is about: that of its subject, else that of its person, when it was given either. */
export function deriveActivityAccount(record: DerivedRecord): void {
  const isAboutOther = record.isChanged('WhatId') || record.isChanged('WhoId')
  if (!isAboutOther && !record.facts.isRecomputed) return
  const what = record.related('WhatId')
  const whatAccount = what?.object === 'Account' ? record.get('WhatId') : what?.values.AccountId
  record.set('AccountId', whatAccount ?? record.related('WhoId')?.values.AccountId ?? null)
}
