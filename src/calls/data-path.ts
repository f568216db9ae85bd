import { ApiError } from '../base/api-error.ts'
import { type ApiVersion, makeApiVersion } from '../base/api-version.ts'
import { goneVersion, supportOf, type VersionSettings } from './version-support.ts'

/** What a path of the data door means. */
export interface DataPath {
  readonly version: ApiVersion
  /** Without the version prefix and still percent-encoded: `/sobjects/Account/001...`. */
  readonly path: string
}

const VERSION = /^\/services\/data\/(?:v([1-9]\d{0,2})\.0|(latest))(?=\/|$)/

/**
 * `.json` at the end of a path chooses the format and belongs to nothing else, except where the last segment is a
 * caller's own key. (docs/reference/api/records.md#requests)
 */
function withoutSuffix(path: string): string {
  return path.endsWith('.json') && path.split('/').length < 5 ? path.slice(0, -'.json'.length) : path
}

/**
 * The version that a path names, and the resource behind it: for calls at the door and for those inside others.
 * (docs/reference/api/limits-and-versions.md#life-of-a-version)
 * @param now by the org's clock; undefined: nobody knows yet which org it is, so no version has come to its day
 * @throws ApiError GONE, NOT_FOUND
 */
export function parseDataPath(path: string, settings: VersionSettings, now?: Date): DataPath {
  const { versions } = settings
  const match = VERSION.exec(path)
  const major = match?.[2] === undefined ? Number(match?.[1] ?? Number.NaN) : versions.at(-1)!
  if (supportOf(major, settings, now) === 'retired') throw goneVersion(major)
  if (!versions.includes(major)) throw new ApiError('NOT_FOUND', 'The requested resource does not exist')
  const rest = path.slice(match![0].length)
  return { version: makeApiVersion(major), path: withoutSuffix(rest === '' ? '/' : rest) }
}
