import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { derivedFrom, notWritable } from '../behaviour/not-writable.ts'
import { ACTIVITY_TARGETS } from '../values/targets.ts'
import { ACTIVITY_ACCOUNT, checkActivity, deriveActivityAccount, REMINDER } from './activity.ts'
import { deriveEventTimes, EVENT_TIMES } from './event-times.ts'
import { LAST_ACTIVITY } from './last-activity.ts'
import { checkSeries, EVENT_RECURRENCE, SERIES_PATTERN } from './recurrence.ts'

export const EVENT: ObjectDefinition = {
  name: 'Event',
  label: 'Event',
  labelPlural: 'Events',
  keyPrefix: '00U',
  fields: [
    recordTypeId,
    {
      name: 'WhoId',
      label: 'Name ID',
      type: 'reference',
      to: ['Contact', 'Lead'],
      relationship: 'Who',
      children: 'Events',
    },
    {
      name: 'WhatId',
      label: 'Related To ID',
      type: 'reference',
      to: ACTIVITY_TARGETS,
      toCustom: 'activities',
      relationship: 'What',
      children: 'Events',
      onDelete: 'cascade',
    },
    {
      name: 'Subject',
      label: 'Subject',
      type: 'combobox',
      length: 255,
      values: ['Call', 'Email', 'Meeting', 'Send Letter/Quote', 'Other'],
      nameField: true,
      idLookup: false,
    },
    { name: 'Location', label: 'Location', type: 'string', length: 255 },
    { name: 'IsAllDayEvent', label: 'All-Day Event', type: 'boolean' },
    { name: 'ActivityDateTime', label: 'Due Date Time', type: 'datetime' },
    { name: 'ActivityDate', label: 'Due Date Only', type: 'date' },
    { name: 'DurationInMinutes', label: 'Duration', type: 'int' },
    { name: 'StartDateTime', label: 'Start Date Time', type: 'datetime' },
    { name: 'EndDateTime', label: 'End Date Time', type: 'datetime' },
    { name: 'EndDate', label: 'End Date', type: 'date', ...derivedFrom('EndDateTime') },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      ...derivedFrom('WhatId', 'WhoId'),
    },
    { name: 'IsPrivate', label: 'Private', type: 'boolean' },
    {
      name: 'ShowAs',
      label: 'Show Time As',
      type: 'picklist',
      length: 40,
      values: [{ value: 'Busy', default: true }, { value: 'OutOfOffice', label: 'Out of Office' }, 'Free'],
      restricted: true,
    },
    { name: 'IsChild', label: 'Is Child', type: 'boolean', ...notWritable },
    { name: 'IsGroupEvent', label: 'Is Group Event', type: 'boolean', ...notWritable },
    { name: 'IsArchived', label: 'Archived', type: 'boolean', ...notWritable },
    {
      name: 'RecurrenceActivityId',
      label: 'Recurrence Activity ID',
      type: 'reference',
      to: ['Event'],
      children: 'RecurringEvents',
      ...notWritable,
    },
    { name: 'IsRecurrence', label: 'Create Recurring Series of Events', type: 'boolean', updateable: false },
    ...EVENT_RECURRENCE,
    {
      name: 'GroupEventType',
      label: 'Group Event Type',
      type: 'picklist',
      length: 40,
      values: [
        { value: '0', label: 'Non-group Event', default: true },
        { value: '1', label: 'Group Event' },
        { value: '2', label: 'Proposed Event' },
        { value: '3', label: 'IsRecurrence2 Series Pattern' },
      ],
      restricted: true,
      ...notWritable,
    },
    { name: 'IsClientManaged', label: 'Is Client Managed', type: 'boolean', ...notWritable },
    { name: 'ReminderDateTime', label: 'Reminder Date/Time', type: 'datetime' },
    { name: 'IsReminderSet', label: 'Reminder Set', type: 'boolean' },
    {
      name: 'EventSubtype',
      label: 'Event Subtype',
      type: 'picklist',
      length: 40,
      values: [{ value: 'Event', default: true }],
      restricted: true,
      updateable: false,
    },
    { name: 'IsRecurrence2', label: 'Repeat', type: 'boolean', ...notWritable },
    ...SERIES_PATTERN,
    { name: 'IsVisibleInSelfService', label: 'Public', type: 'boolean' },
  ],
}

/** (docs/reference/api/standard-objects.md#event) */
export const EVENT_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: [...EVENT_TIMES, 'IsAllDayEvent', 'WhatId', 'WhoId', ...REMINDER],
    reads: ['AccountId'],
    related: ACTIVITY_ACCOUNT,
    once: ['AccountId'],
    derive(record) {
      checkActivity(record)
      checkSeries(record, 'RecurrenceStartDateTime')
      const { isRecomputed } = record.facts
      if (
        record.isNew ||
        isRecomputed ||
        [...EVENT_TIMES, 'IsAllDayEvent'].some((name) => record.isGiven(name))
      )
        deriveEventTimes(record)
      deriveActivityAccount(record)
    },
  },
  effects: LAST_ACTIVITY.ofEvent(EVENT_TIMES),
}
