import { integrityError, missingError } from './behaviour.ts'
import type { DerivedRecord } from './derived-record.ts'

/** What decides whether a task or an event reminds of itself. */
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

/** What holds for tasks and events that somebody writes. Earlier versions did not ask. */
export function checkActivity(record: DerivedRecord): void {
  if (record.facts.isRecomputed) return
  checkLead(record)
  deriveReminder(record)
}
