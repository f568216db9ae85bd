import { getOrInsert } from './get-or-insert.ts'

/**
 * API versions. One table, `VERSION_CHANGES`, lists what differs between them; code calls `hasChange` and never compares
 * numbers. (docs/reference/api/limits-and-versions.md#versions)
 */
export interface ApiVersion {
  readonly major: number
  /** As written in paths and in the version list: `64.0`. */
  readonly text: string
  /** Start of every path of this version: `/services/data/v64.0`. */
  readonly path: string
}

/** Behavior that a version introduced. The number is the first version that has it. */
export const VERSION_CHANGES = {
  /** An upsert that updates answers 200 with a body; before, 204 without one. (docs/reference/api/limits-and-versions.md#differences-by-version) */
  upsertUpdateHasBody: 46,
  /** A referenceId with forbidden characters is refused; before, it was accepted but could not be referred to. (docs/reference/api/composite.md#references) */
  checkedReferenceIds: 52,
  /** A reference to null gives null; before, it was an error. (docs/reference/api/composite.md#references) */
  nullReferences: 52,
  /** Consecutive creates of a composite are collated unless the request disables it. (docs/reference/api/composite.md#composite) */
  collatedSubrequests: 49,
  /** Names in `/limits` for batches of the bulk API and for events. (docs/reference/api/limits-and-versions.md#limits-resource) */
  /** An event without an end is told so; before, its duration was named. (docs/reference/api/standard-objects.md#event) */
  eventEndInErrors: 39,
  bulkBatchesInLimits: 49,
  eventEntitlementInLimits: 48,
  /** Results of bulk queries have their columns in the order of the query; before, of the alphabet. (docs/reference/api/bulk-jobs.md#query-jobs) */
  bulkColumnsAsSelected: 50,
  /** TYPEOF in the select list of a query. (docs/reference/api/queries.md#typeof) */
  typeofInQueries: 46,
  /** FIELDS(ALL), FIELDS(STANDARD) and FIELDS(CUSTOM). (docs/reference/api/queries.md#fields-function) */
  fieldsInQueries: 51,
  /** Child queries inside child queries; before, one level. (docs/reference/api/queries.md#children) */
  nestedChildQueries: 58,
  /** Features added to GraphQL after its first version. (docs/reference/api/graphql.md#endpoint, docs/reference/api/graphql.md#errors) */
  graphqlAggregates: 58,
  graphqlUpperBound: 59,
  graphqlCompoundFields: 59,
  graphqlMutations: 59,
  graphqlOptionalFields: 65,
  graphqlPicklistValues: 65,
} as const

type VersionChange = keyof typeof VERSION_CHANGES

export function hasChange(version: ApiVersion, change: VersionChange): boolean {
  return version.major >= VERSION_CHANGES[change]
}

const CHANGES = Object.keys(VERSION_CHANGES) as VersionChange[]

const changes = new Map<number, string>()

/** The changes of a version as a cache key: versions with the same key behave alike. */
export const getChanges = (version: ApiVersion): string =>
  getOrInsert(changes, version.major, () => CHANGES.filter((change) => hasChange(version, change)).join())

const made = new Map<number, ApiVersion>()

export function makeApiVersion(major: number): ApiVersion {
  let version = made.get(major)
  if (version === undefined) {
    const text = `${major}.0`
    version = Object.freeze({ major, text, path: `/services/data/v${text}` })
    made.set(major, version)
  }
  return version
}

/** Releases come in February, June and October: Spring, Summer, and Winter of the year after. */
const RELEASE_MONTHS = [1, 5, 9]

/** Version 66.0 is Spring '26. */
const SPRING_26 = 66

/** Release date of a version. */
export function releasedOn({ major }: ApiVersion): Date {
  const releases = major - SPRING_26
  return new Date(Date.UTC(2026 + Math.floor(releases / 3), RELEASE_MONTHS[((releases % 3) + 3) % 3]!))
}

/** The newest version released on a date, whether this server supports it or not. */
export function versionReleasedBy(date: Date): ApiVersion {
  const month = RELEASE_MONTHS.findLastIndex((one) => one <= date.getUTCMonth())
  return makeApiVersion(SPRING_26 + (date.getUTCFullYear() - 2026) * 3 + month)
}

/** The release name in the version list; there are three releases a year. */
export function releaseLabel(version: ApiVersion): string {
  const releases = version.major - SPRING_26
  const season = ['Spring', 'Summer', 'Winter'][((releases % 3) + 3) % 3]!
  // Winter '27 comes before Spring '27 and carries the next year's number.
  const year = 26 + Math.floor((releases + 1) / 3)
  return `${season} '${String(year).padStart(2, '0')}`
}
