import { withCheckCharacters } from './check-characters.sql.ts'
import { makeViewObject, moment, picklist, reference, text, whole } from './view-object.ts'

/** Background jobs under the name by which integrations look for them. */
export const ASYNC_APEX_JOB = makeViewObject(
  {
    name: 'AsyncApexJob',
    label: 'Apex Job',
    labelPlural: 'Apex Jobs',
    keyPrefix: '707',
    description: 'The records of BackgroundJob in another form.',
  },
  [
    picklist('JobType', 'Job Type', ['Queueable', 'ScheduledApex', 'BatchApex', 'Future']),
    reference('ApexClassId', 'Class ID', 'ApexClass'),
    picklist('Status', 'Status', [
      'Queued',
      'Processing',
      'Completed',
      'Failed',
      'Aborted',
      'Preparing',
      'Holding',
    ]),
    whole('JobItemsProcessed', 'Batches Processed'),
    whole('TotalJobItems', 'Total Batches'),
    whole('NumberOfErrors', 'Failures'),
    moment('CompletedDate', 'Completion Date'),
    { ...text('MethodName', 'Apex Method'), help: 'The name of the job in the deployment.' },
    text('ExtendedStatus', 'Status Detail'),
    reference('ParentJobId', 'Apex Job ID', 'AsyncApexJob'),
    text('LastProcessed', 'Last ID Processed', 15),
    whole('LastProcessedOffset', 'Last Record Processed'),
  ],
  {
    from: '"$org".backgroundjob job where not job.isdeleted',
    columns: {
      id: withCheckCharacters(`'707' || substr(job.id, 4, 12)`),
      jobtype: `case when job.occurrence is null then 'Queueable' else 'ScheduledApex' end`,
      status: `case job.status when 'Done' then 'Completed' when 'Dead' then 'Failed' else 'Queued' end`,
      jobitemsprocessed: `case job.status when 'Done' then 1 else 0 end`,
      totaljobitems: '1',
      numberoferrors: `case job.status when 'Dead' then 1 else 0 end`,
      completeddate: `case when job.status in ('Done', 'Dead') then job.lastattemptdate end`,
      methodname: 'job.job',
      extendedstatus: `left(job.lasterror, 255)`,
      createddate: 'job.createddate',
      createdbyid: 'job.createdbyid',
      lastmodifieddate: 'job.lastmodifieddate',
      lastmodifiedbyid: 'job.lastmodifiedbyid',
      systemmodstamp: 'job.systemmodstamp',
    },
  },
)
