import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { ACTIVITY_TARGETS } from '../values/targets.ts'
import { onlyId } from './check-characters.sql.ts'
import {
  day,
  flag,
  longText,
  makeViewObject,
  moment,
  nameText,
  reference,
  text,
  whole,
} from './view-object.ts'

interface ActivityView {
  readonly name: string
  readonly label: string
  readonly labelPlural: string
  readonly keyPrefix: string
  /** The way down to them. */
  readonly children: string
}

/** Each record has one way down to its activities: accounts have those of their contacts and opportunities too. */
const references = (children: string): readonly FieldDefinition[] => [
  { ...reference('AccountId', 'Account ID', 'Account'), children, describedDelete: 'cascade' },
  { ...reference('WhoId', 'Name ID', 'Contact', 'Lead'), children, describedDelete: 'cascade' },
  {
    ...reference('WhatId', 'Related To ID', ...ACTIVITY_TARGETS),
    toCustom: 'activities',
    children,
    describedDelete: 'cascade',
    noChildrenOn: ['Account'],
  },
]

/** Tasks and events of a record. Statements make the rows, which have the ids of these. */
const makeActivityView = ({ children, ...object }: ActivityView): ObjectDefinition =>
  makeViewObject(
    object,
    [
      ...references(children),
      nameText('Subject', 'Subject'),
      flag('IsTask', 'Task'),
      day('ActivityDate', 'Date'),
      reference('OwnerId', 'Owner ID', 'Group', 'User'),
      text('Status', 'Status'),
      text('Priority', 'Priority'),
      flag('IsHighPriority', 'High Priority'),
      text('ActivityType', 'Type', 40),
      flag('IsClosed', 'Closed'),
      flag('IsAllDayEvent', 'All-Day Event'),
      whole('DurationInMinutes', 'Duration'),
      text('Location', 'Location'),
      longText('Description', 'Description'),
      whole('CallDurationInSeconds', 'Call Duration'),
      text('CallType', 'Call Type', 40),
      text('CallDisposition', 'Call Result'),
      text('CallObject', 'Call Object Identifier'),
      moment('ReminderDateTime', 'Reminder Date/Time'),
      flag('IsReminderSet', 'Reminder Set'),
      moment('StartDateTime', 'Start Date Time'),
      moment('EndDateTime', 'End Date Time'),
      text('ActivitySubtype', 'Activity Subtype', 40),
      text('AlternateDetailId', 'Alternate Detail ID', 18),
      moment('CompletedDateTime', 'Completed Date/Time'),
    ],
    {
      perCaller: true,
      childOnly: true,
      from: '(values (0)) none where false',
      columns: { id: onlyId(object.keyPrefix) },
    },
  )

/** Open tasks, and events that have not ended. */
export const OPEN_ACTIVITY = makeActivityView({
  name: 'OpenActivity',
  label: 'Open Activity',
  labelPlural: 'Open Activities',
  keyPrefix: '0oa',
  children: 'OpenActivities',
})

/** Closed tasks, and events that have ended. */
export const ACTIVITY_HISTORY = makeActivityView({
  name: 'ActivityHistory',
  label: 'Activity History',
  labelPlural: 'Activity Histories',
  keyPrefix: '0ah',
  children: 'ActivityHistories',
})
