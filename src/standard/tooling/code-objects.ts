import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { makeEmpty } from '../views/make-empty.sql.ts'
import { flag, longText, moment, nameText, picklist, reference, text, whole } from '../views/view-object.ts'

/*
 * Objects that tools query about the platform's own language: logs, how much they say, runs of tests, and how much of the code these reach. Code is
 * TypeScript here, so there is nothing of it.
 */

const LEVELS = ['NONE', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'FINE', 'FINER', 'FINEST']

const levels: readonly FieldDefinition[] = [
  picklist('ApexCode', 'Apex Code', LEVELS),
  picklist('ApexProfiling', 'Apex Profiling', LEVELS),
  picklist('Callout', 'Callout', LEVELS),
  picklist('Database', 'Database', LEVELS),
  picklist('System', 'System', LEVELS),
  picklist('Validation', 'Validation', LEVELS),
  picklist('Visualforce', 'Visualforce', LEVELS),
  picklist('Workflow', 'Workflow', LEVELS),
]

const testStatus = picklist('Status', 'Status', [
  'Holding',
  'Queued',
  'Preparing',
  'Processing',
  'Aborted',
  'Completed',
  'Failed',
])

const classReference = reference('ApexClassId', 'Class ID', 'ApexClass')
const runReference = reference('ApexTestRunResultId', 'Apex Test Run Result ID', 'ApexTestRunResult')
const jobReference = reference('AsyncApexJobId', 'Apex Job ID', 'AsyncApexJob')

export const CODE_OBJECTS: readonly ObjectDefinition[] = [
  makeEmpty('ApexLog', 'Apex Debug Log', '07L', [
    reference('LogUserId', 'Log User ID', 'User'),
    text('Application', 'Application', 40),
    text('Operation', 'Operation'),
    text('Request', 'Request Type', 40),
    text('RequestIdentifier', 'Request Identifier'),
    text('Status', 'Status'),
    text('Location', 'Log Location', 40),
    whole('LogLength', 'Log Size (bytes)'),
    whole('DurationMilliseconds', 'Duration (ms)'),
    moment('StartTime', 'Start Time'),
  ]),
  makeEmpty('TraceFlag', 'Trace Flag', '7tf', [
    picklist('LogType', 'Log Type', ['CLASS_TRACING', 'DEVELOPER_LOG', 'PROFILING', 'USER_DEBUG']),
    reference('TracedEntityId', 'Traced Entity ID', 'ApexClass', 'ApexTrigger', 'User'),
    reference('DebugLevelId', 'Debug Level ID', 'DebugLevel'),
    moment('StartDate', 'Start Date'),
    moment('ExpirationDate', 'Expiration Date'),
    ...levels,
  ]),
  makeEmpty('DebugLevel', 'Debug Level', '7dl', [
    nameText('DeveloperName', 'Developer Name', 40),
    text('MasterLabel', 'Master Label', 40),
    text('Language', 'Master Language', 40),
    ...levels,
  ]),
  makeEmpty('ApexTestQueueItem', 'Apex Test Queue Item', '709', [
    classReference,
    testStatus,
    text('ExtendedStatus', 'Detailed Status', 1000),
    reference('ParentJobId', 'Apex Job ID', 'AsyncApexJob'),
    { ...runReference, name: 'TestRunResultId', relationship: 'TestRunResult' },
    flag('ShouldSkipCodeCoverage', 'Skip Code Coverage'),
  ]),
  makeEmpty('ApexTestRunResult', 'Apex Test Run Result', '05m', [
    jobReference,
    reference('UserId', 'User ID', 'User'),
    text('JobName', 'Job Name'),
    flag('IsAllTests', 'All Tests'),
    text('Source', 'Source', 40),
    testStatus,
    moment('StartTime', 'Start Time'),
    moment('EndTime', 'End Time'),
    whole('TestTime', 'Test Time'),
    whole('ClassesEnqueued', 'Classes Enqueued'),
    whole('ClassesCompleted', 'Classes Completed'),
    whole('MethodsEnqueued', 'Methods Enqueued'),
    whole('MethodsCompleted', 'Methods Completed'),
    whole('MethodsFailed', 'Methods Failed'),
  ]),
  makeEmpty('ApexTestResult', 'Apex Test Result', '07M', [
    reference('QueueItemId', 'Apex Test Queue Item ID', 'ApexTestQueueItem'),
    runReference,
    jobReference,
    classReference,
    reference('ApexLogId', 'Apex Debug Log ID', 'ApexLog'),
    nameText('MethodName', 'Method Name'),
    picklist('Outcome', 'Outcome', ['Pass', 'Fail', 'CompileFail', 'Skip']),
    text('Message', 'Message', 4000),
    text('StackTrace', 'Stack Trace', 4000),
    whole('RunTime', 'Run Time'),
    moment('TestTimestamp', 'Test Timestamp'),
  ]),
  makeEmpty('ApexCodeCoverageAggregate', 'Apex Code Coverage Aggregate', '715', [
    {
      ...reference('ApexClassOrTriggerId', 'Class or Trigger ID', 'ApexClass', 'ApexTrigger'),
      relationship: 'ApexClassOrTrigger',
    },
    whole('NumLinesCovered', 'Number of Lines Covered'),
    whole('NumLinesUncovered', 'Number of Lines Uncovered'),
    longText('Coverage', 'Coverage'),
  ]),
  makeEmpty('ApexOrgWideCoverage', 'Apex Org Wide Coverage', '716', [
    whole('PercentCovered', 'Percent Covered'),
  ]),
]
