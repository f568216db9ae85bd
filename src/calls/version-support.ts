import { ApiError } from '../base/api-error.ts'
import { type ApiVersion, releaseLabel, versionReleasedBy } from '../base/api-version.ts'
import type { Config } from '../config/config.ts'

/** Which versions are served, and until when. */
export type VersionSettings = Pick<Config, 'versions' | 'retiredVersions' | 'retirements'>

/** How long before its end a version is reported as deprecated. (docs/reference/api/limits-and-versions.md#life-of-a-version) */
const NOTICE_YEARS = 1

/** The state of a version at a time. */
export type Support = 'supported' | 'deprecated' | 'retired'

function yearsBefore(date: Date, years: number): Date {
  const before = new Date(date)
  before.setUTCFullYear(before.getUTCFullYear() - years)
  return before
}

/** @param major of a version that was served once */
export function getSupport(
  major: number,
  { retiredVersions, retirements }: VersionSettings,
  now: Date | undefined,
): Support {
  if (retiredVersions.includes(major)) return 'retired'
  const end = retirements.get(major)
  if (end === undefined || now === undefined || now < yearsBefore(end, NOTICE_YEARS)) return 'supported'
  return now < end ? 'deprecated' : 'retired'
}

/** The error for a retired version. (docs/reference/api/limits-and-versions.md#life-of-a-version) */
export const goneVersion = (major: number) =>
  new ApiError('GONE', `The requested API version is retired: v${major}.0`)

/**
 * Returns the release that removes a version; undefined if none will.
 * (docs/reference/api/limits-and-versions.md#life-of-a-version)
 * @throws ApiError GONE
 */
export function getDeprecation(
  { major }: ApiVersion,
  settings: VersionSettings,
  now: Date,
): string | undefined {
  const support = getSupport(major, settings, now)
  if (support === 'retired') throw goneVersion(major)
  if (support === 'supported') return undefined
  const release = releaseLabel(versionReleasedBy(settings.retirements.get(major)!))
  return `299 - "This API is deprecated and will be removed by ${release}."`
}
