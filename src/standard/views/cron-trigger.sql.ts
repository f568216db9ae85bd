import { withCheckCharacters } from './check-characters.sql.ts'
import { makeViewObject, moment, nameText, picklist, reference, text, whole } from './view-object.ts'

/** The jobs that a schedule has started, one row for each, with the times of its runs. */
const SCHEDULED = `(
  select job.job as name, min(job.id) as first, count(*) as runs, min(job.createddate) as firstrun, max(job.createddate) as lastrun,
         max(job.systemmodstamp) as changed
  from "$org".backgroundjob job where job.occurrence is not null group by job.job) scheduled`

const times = {
  createddate: 'scheduled.firstrun',
  lastmodifieddate: 'scheduled.changed',
  systemmodstamp: 'scheduled.changed',
}

export const CRON_JOB_DETAIL = makeViewObject(
  { name: 'CronJobDetail', label: 'Cron Job', labelPlural: 'Cron Jobs', keyPrefix: '08a' },
  [nameText('Name', 'Job Name'), picklist('JobType', 'Job Type', [{ value: '7', label: 'Scheduled Apex' }])],
  {
    from: SCHEDULED,
    columns: {
      id: withCheckCharacters(`'08a' || substr(scheduled.first, 4, 12)`),
      name: 'scheduled.name',
      jobtype: `'7'`,
      ...times,
    },
  },
)

/** Schedules of jobs that have run. When they run next is known to the deployment only. */
export const CRON_TRIGGER = makeViewObject(
  {
    name: 'CronTrigger',
    label: 'Scheduled Job',
    labelPlural: 'Scheduled Jobs',
    keyPrefix: '08e',
    description: 'Schedules of jobs of the deployment, from their first run on.',
  },
  [
    reference('CronJobDetailId', 'Job ID', 'CronJobDetail'),
    moment('NextFireTime', 'Next Run Time'),
    moment('PreviousFireTime', 'Previous Run Time'),
    picklist('State', 'Job State', [
      'WAITING',
      'ACQUIRED',
      'EXECUTING',
      'COMPLETE',
      'PAUSED',
      'BLOCKED',
      'ERROR',
    ]),
    moment('StartTime', 'Start Time'),
    moment('EndTime', 'End Time'),
    text('CronExpression', 'Cron Expression'),
    text('TimeZoneSidKey', 'Time Zone', 40),
    reference('OwnerId', 'Owner ID', 'User'),
    whole('TimesTriggered', 'Times Triggered'),
  ],
  {
    from: SCHEDULED,
    columns: {
      id: withCheckCharacters(`'08e' || substr(scheduled.first, 4, 12)`),
      cronjobdetailid: withCheckCharacters(`'08a' || substr(scheduled.first, 4, 12)`),
      previousfiretime: 'scheduled.lastrun',
      state: `'WAITING'`,
      starttime: 'scheduled.firstrun',
      timestriggered: 'scheduled.runs',
      ownerid: 'made.createdbyid',
      ...times,
    },
  },
)
