import { notFound } from '../base/api-error.ts'
import { type ApiVersion, makeApiVersion } from '../base/api-version.ts'
import { getSupport, goneVersion, type VersionSettings } from './version-support.ts'

/** The parts of a path of the data API. */
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
export function withoutSuffix(path: string): string {
  return path.endsWith('.json') && path.split('/').length < 5 ? path.slice(0, -'.json'.length) : path
}

/**
 * The version and the resource of a path, for requests and for the steps of composite calls.
 * (docs/reference/api/limits-and-versions.md#life-of-a-version)
 * @param now by the org's clock; undefined while the org is unknown, when no version counts as retired
 * @throws ApiError GONE, NOT_FOUND
 */
export function parseDataPath(path: string, settings: VersionSettings, now?: Date): DataPath {
  const { versions } = settings
  const match = VERSION.exec(path)
  const major = match?.[2] === undefined ? Number(match?.[1] ?? Number.NaN) : versions.at(-1)!
  if (getSupport(major, settings, now) === 'retired') throw goneVersion(major)
  if (!versions.includes(major)) throw notFound()
  const rest = path.slice(match![0].length)
  return { version: makeApiVersion(major), path: withoutSuffix(rest === '' ? '/' : rest) }
}
