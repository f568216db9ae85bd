import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { derivedFrom, notWritable } from '../behaviour/not-writable.ts'
import { ACTIVITY_TARGETS } from '../values/targets.ts'
import { ACTIVITY_ACCOUNT, checkActivity, deriveActivityAccount, REMINDER } from './activity.ts'
import { LAST_ACTIVITY } from './last-activity.ts'
import { checkSeries, TASK_RECURRENCE } from './recurrence.ts'

export const TASK: ObjectDefinition = {
  name: 'Task',
  label: 'Task',
  labelPlural: 'Tasks',
  keyPrefix: '00T',
  queueable: true,
  fields: [
    recordTypeId,
    {
      name: 'WhoId',
      label: 'Name ID',
      type: 'reference',
      to: ['Contact', 'Lead'],
      relationship: 'Who',
      children: 'Tasks',
    },
    {
      name: 'WhatId',
      label: 'Related To ID',
      type: 'reference',
      to: ACTIVITY_TARGETS,
      toCustom: 'activities',
      relationship: 'What',
      children: 'Tasks',
      onDelete: 'cascade',
    },
    {
      name: 'Subject',
      label: 'Subject',
      type: 'combobox',
      length: 255,
      values: ['Call', 'Email', 'Send Letter', 'Send Quote', 'Other'],
      nameField: true,
      idLookup: false,
    },
    { name: 'ActivityDate', label: 'Due Date Only', type: 'date' },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      required: true,
      values: [
        { value: 'Not Started', default: true },
        'In Progress',
        { value: 'Completed', closed: true },
        'Waiting on someone else',
        'Deferred',
      ],
    },
    {
      name: 'Priority',
      label: 'Priority',
      type: 'picklist',
      length: 255,
      required: true,
      values: [{ value: 'High', highPriority: true }, { value: 'Normal', default: true }, 'Low'],
    },
    { name: 'IsHighPriority', label: 'High Priority', type: 'boolean', ...notWritable },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      ...derivedFrom('WhatId', 'WhoId'),
    },
    { name: 'IsClosed', label: 'Closed', type: 'boolean', ...notWritable },
    { name: 'IsArchived', label: 'Archived', type: 'boolean', ...notWritable },
    { name: 'CallDurationInSeconds', label: 'Call Duration', type: 'int' },
    {
      name: 'CallType',
      label: 'Call Type',
      type: 'picklist',
      length: 40,
      values: ['Internal', 'Inbound', 'Outbound'],
      restricted: true,
    },
    { name: 'CallDisposition', label: 'Call Result', type: 'string', length: 255 },
    { name: 'CallObject', label: 'Call Object Identifier', type: 'string', length: 255 },
    { name: 'ReminderDateTime', label: 'Reminder Date/Time', type: 'datetime' },
    { name: 'IsReminderSet', label: 'Reminder Set', type: 'boolean' },
    {
      name: 'RecurrenceActivityId',
      label: 'Recurrence Activity ID',
      type: 'reference',
      to: ['Task'],
      children: 'RecurringTasks',
      ...notWritable,
    },
    { name: 'IsRecurrence', label: 'Create Recurring Series of Tasks', type: 'boolean', updateable: false },
    ...TASK_RECURRENCE,
    {
      name: 'TaskSubtype',
      label: 'Task Subtype',
      type: 'picklist',
      length: 40,
      values: [
        { value: 'Task', default: true },
        'Email',
        { value: 'ListEmail', label: 'List Email' },
        'Cadence',
        'Call',
        'LinkedIn',
      ],
      restricted: true,
      updateable: false,
    },
    { name: 'CompletedDateTime', label: 'Completed Date/Time', type: 'datetime', ...notWritable },
  ],
}

/** (docs/reference/api/standard-objects.md#task) */
export const TASK_BEHAVIOUR: ObjectBehaviour = {
  derivation: {
    from: ['Status', 'Priority', 'WhatId', 'WhoId', ...REMINDER],
    reads: ['CompletedDateTime', 'AccountId'],
    related: ACTIVITY_ACCOUNT,
    once: ['AccountId'],
    derive(record) {
      checkActivity(record)
      checkSeries(record, 'RecurrenceStartDateOnly')
      const { closed = false } = record.listed('Status')?.status ?? {}
      record.set('IsClosed', closed)
      record.set('IsHighPriority', record.listed('Priority')?.status.highPriority ?? false)
      const isStale = record.facts.isRecomputed && (record.get('CompletedDateTime') !== null) !== closed
      if (isStale || record.isChanged('Status'))
        record.set('CompletedDateTime', closed ? record.facts.now : null)
      deriveActivityAccount(record)
    },
  },
  effects: LAST_ACTIVITY.ofTask,
}
