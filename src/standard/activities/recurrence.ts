import { MONTHS } from '../../base/fiscal-year.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { missingError } from '../behaviour/behaviour.ts'
import type { DerivedRecord } from '../behaviour/derived-record.ts'
import { notWritable } from '../behaviour/not-writable.ts'
import { TIME_ZONE_VALUES } from '../values/time-zone-values.ts'

const RULE: readonly FieldDefinition[] = [
  { name: 'RecurrenceEndDateOnly', label: 'Recurrence End', type: 'date' },
  {
    name: 'RecurrenceTimeZoneSidKey',
    label: 'Recurrence Time Zone',
    type: 'picklist',
    length: 40,
    values: TIME_ZONE_VALUES,
    restricted: true,
  },
  {
    name: 'RecurrenceType',
    label: 'Recurrence Type',
    type: 'picklist',
    length: 40,
    values: [
      { value: 'RecursDaily', label: 'Recurs Daily' },
      { value: 'RecursEveryWeekday', label: 'Recurs Every Weekday' },
      { value: 'RecursMonthly', label: 'Recurs Monthly' },
      { value: 'RecursMonthlyNth', label: 'Recurs Monthly Nth' },
      { value: 'RecursWeekly', label: 'Recurs Weekly' },
      { value: 'RecursYearly', label: 'Recurs Yearly' },
      { value: 'RecursYearlyNth', label: 'Recurs Yearly Nth' },
    ],
    restricted: true,
  },
  { name: 'RecurrenceInterval', label: 'Recurrence Interval', type: 'int' },
  { name: 'RecurrenceDayOfWeekMask', label: 'Recurrence Day of Week Mask', type: 'int' },
  { name: 'RecurrenceDayOfMonth', label: 'Recurrence Day of Month', type: 'int' },
  {
    name: 'RecurrenceInstance',
    label: 'Recurrence Instance',
    type: 'picklist',
    length: 40,
    values: ['First', 'Second', 'Third', 'Fourth', 'Last'],
    restricted: true,
  },
  {
    name: 'RecurrenceMonthOfYear',
    label: 'Recurrence Month of Year',
    type: 'picklist',
    length: 40,
    values: MONTHS,
    restricted: true,
  },
]

/** How often a task comes again. It is kept for clients; no further tasks are made of it. */
export const TASK_RECURRENCE: readonly FieldDefinition[] = [
  { name: 'RecurrenceStartDateOnly', label: 'Recurrence Start', type: 'date' },
  ...RULE,
  {
    name: 'RecurrenceRegeneratedType',
    label: 'Repeat This Task',
    type: 'picklist',
    length: 40,
    values: [
      { value: 'RecurrenceRegenerateAfterDueDate', label: 'After due date' },
      { value: 'RecurrenceRegenerateAfterToday', label: 'After date completed' },
      { value: 'RecurrenceRegenerated', label: '(Task Closed)' },
    ],
    restricted: true,
  },
]

/** How often an event comes again. */
export const EVENT_RECURRENCE: readonly FieldDefinition[] = [
  { name: 'RecurrenceStartDateTime', label: 'Recurrence Start', type: 'datetime' },
  ...RULE,
]

/** How often an event comes again, in the words of calendars (RFC 5545). It is kept for clients; no further events are made of it. */
export const SERIES_PATTERN: readonly FieldDefinition[] = [
  {
    name: 'Recurrence2PatternText',
    label: 'Recurrence Pattern',
    type: 'longtextarea',
    length: 512,
    updateable: false,
  },
  { name: 'Recurrence2PatternStartDate', label: 'Pattern Start Date', type: 'datetime', ...notWritable },
  {
    name: 'Recurrence2PatternTimeZone',
    label: 'Pattern Time Zone Reference',
    type: 'string',
    length: 255,
    ...notWritable,
  },
  {
    name: 'Recurrence2PatternVersion',
    label: 'Pattern Version',
    type: 'picklist',
    length: 40,
    values: [{ value: '1', label: 'RFC 5545 v4 RRULE' }],
    restricted: true,
    ...notWritable,
  },
]

/**
 * Refuses a new series that does not say how it goes.
 * @param start the field with its beginning
 */
export function checkSeries(record: DerivedRecord, start: string): void {
  if (!record.isNew || record.get('IsRecurrence') !== true) return
  const missing = ['RecurrenceEndDateOnly', start, 'RecurrenceType'].filter(
    (name) => record.get(name) === null,
  )
  if (missing.length > 0) throw missingError(missing)
}
