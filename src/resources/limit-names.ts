import { type ApiVersion, hasChange } from '../base/api-version.ts'
import { BULK_LIMITS, type BulkUsage } from '../bulk/jobs/usage.ts'

interface Limit {
  readonly Max: number
  readonly Remaining: number
}

/** Limits of features that this platform does not have. (docs/reference/api/limits-and-versions.md#limits-resource) */
const NONE: readonly string[] = [
  'ActiveScratchOrgs',
  'AnalyticsExternalDataSizeMB',
  'ConcurrentAsyncGetReportInstances',
  'ConcurrentEinsteinDataInsightsStoryCreation',
  'ConcurrentEinsteinDiscoveryStoryCreation',
  'ConcurrentSyncReportRuns',
  'DailyAnalyticsDataflowJobExecutions',
  'DailyAnalyticsUploadedFilesSizeMB',
  'DailyAsyncApexExecutions',
  'DailyAsyncApexTests',
  'DailyDurableGenericStreamingApiEvents',
  'DailyDurableStreamingApiEvents',
  'DailyEinsteinDataInsightsStoryCreation',
  'DailyEinsteinDiscoveryOptimizationJobRuns',
  'DailyEinsteinDiscoveryPredictAPICalls',
  'DailyEinsteinDiscoveryPredictionsByCDC',
  'DailyEinsteinDiscoveryStoryCreation',
  'DailyFunctionsApiCallLimit',
  'DailyGenericStreamingApiEvents',
  'DailyScratchOrgs',
  'DailyStandardVolumePlatformEvents',
  'DailyStreamingApiEvents',
  'DailyWorkflowEmails',
  'DurableStreamingApiConcurrentClients',
  'HourlyAsyncReportRuns',
  'HourlyDashboardRefreshes',
  'HourlyDashboardResults',
  'HourlyDashboardStatuses',
  'HourlyLongTermIdMapping',
  'HourlyManagedContentPublicRequests',
  'HourlyODataCallout',
  'HourlyPublishedStandardVolumePlatformEvents',
  'HourlyShortTermIdMapping',
  'HourlySyncReportRuns',
  'HourlyTimeBasedWorkflow',
  'MassEmail',
  'MonthlyEinsteinDiscoveryStoryCreation',
  'Package2VersionCreates',
  'Package2VersionCreatesWithoutValidation',
  'PlatformEventTriggersWithParallelProcessing',
  'PrivateConnectOutboundCalloutHourlyLimitMB',
  'SingleEmail',
  'StreamingApiConcurrentClients',
]

/** Megabytes that records and files may take: nothing but the disk keeps an org from more. */
const MAX_MEGABYTES = 1024 ** 2

interface Used {
  readonly max: number
  readonly used: number
}

interface Usage {
  readonly bulk: BulkUsage
  readonly calls: number
  readonly used: number
  readonly megabytes: number
  readonly delivered: Used
  readonly published: Used
}

const limit = (max: number, used = 0): Limit => ({ Max: max, Remaining: Math.max(0, max - used) })

/** The body of the limits resource: names in alphabetical order, as some of them are called in the version. */
export function makeLimits(
  version: ApiVersion,
  { bulk, calls, used, megabytes, delivered, published }: Usage,
): Readonly<Record<string, Limit>> {
  const none = [
    ...NONE,
    hasChange(version, 'eventEntitlementInLimits')
      ? 'MonthlyPlatformEventsUsageEntitlement'
      : 'MonthlyPlatformEvents',
  ]
  const limits: Record<string, Limit> = {
    ...Object.fromEntries(none.map((name) => [name, limit(0)])),
    [hasChange(version, 'bulkBatchesInLimits') ? 'DailyBulkApiBatches' : 'DailyBulkApiRequests']: limit(
      BULK_LIMITS.batches,
      bulk.batches,
    ),
    DailyBulkV2QueryFileStorageMB: limit(BULK_LIMITS.megabytes, bulk.megabytes),
    DailyBulkV2QueryJobs: limit(BULK_LIMITS.queries, bulk.queries),
    DailyApiRequests: limit(calls, used),
    DailyDeliveredPlatformEvents: limit(delivered.max, delivered.used),
    HourlyPublishedPlatformEvents: limit(published.max, published.used),
    DataStorageMB: limit(MAX_MEGABYTES, megabytes),
    FileStorageMB: limit(MAX_MEGABYTES),
    PermissionSets: Object.assign(limit(0), { CreateCustom: limit(0) }),
  }
  return Object.fromEntries(Object.entries(limits).sort(([one], [other]) => (one < other ? -1 : 1)))
}
