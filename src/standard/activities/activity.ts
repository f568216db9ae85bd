import { integrityError, missingError } from '../behaviour/behaviour.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'

/** Fields that decide whether a task or an event has a reminder. */
export const REMINDER = ['IsReminderSet', 'ReminderDateTime']

/** A lead is nobody yet that other records belong to: an activity with one is about no other record. */
function checkLead(record: DerivedRecord): void {
  const isMoved = record.isChanged('WhoId') || record.isChanged('WhatId')
  if (!isMoved || record.get('WhatId') === null || record.related('WhoId')?.object !== 'Lead') return
  throw integrityError('An activity with a lead cannot be related to another record', 'WhatId')
}

/** A reminder has a time. Without its time it goes. */
function deriveReminder(record: DerivedRecord): void {
  if (record.get('IsReminderSet') !== true || record.get('ReminderDateTime') !== null) return
  if (record.isGiven('IsReminderSet')) throw missingError(['ReminderDateTime'])
  record.set('IsReminderSet', false)
}

/** Checks of tasks and events that callers write. Earlier versions did not make them. */
export function checkActivity(record: DerivedRecord): void {
  if (record.facts.isRecomputed) return
  checkLead(record)
  deriveReminder(record)
}

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
