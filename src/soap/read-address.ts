import { ApiError } from '../base/api-error.ts'
import { type ApiVersion, makeApiVersion } from '../base/api-version.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { getSupport, type VersionSettings } from '../calls/version-support.ts'

/** The version and the org in the address of a SOAP call. */
export interface SoapAddress {
  readonly version: ApiVersion
  /** Clients add it behind a log-in: they call the address that this answered with. */
  readonly orgId: string | undefined
}

const ADDRESS = /^\/services\/Soap\/[ucms]\/([1-9]\d{0,2})(?:\.0)?(?:\/([A-Za-z0-9]{15,18}))?\/?$/

/**
 * @throws ApiError UNSUPPORTED_API_VERSION, as the vendor answers both for versions that are retired and for those that never were
 * @param now by the org's clock; undefined while the org is unknown
 */
export function checkSoapVersion(major: number, settings: VersionSettings, now?: Date): void {
  if (settings.versions.includes(major) && getSupport(major, settings, now) !== 'retired') return
  throw new ApiError('UNSUPPORTED_API_VERSION', 'Invalid Api version specified on URL')
}

/** @throws ApiError FUNCTIONALITY_NOT_ENABLED for other APIs than those for records, metadata and code, UNSUPPORTED_API_VERSION */
export function readAddress(path: string, settings: VersionSettings): SoapAddress {
  if (!/^\/services\/Soap\/[ucms](?:\/|$)/.test(path)) {
    throw new ApiError(
      'FUNCTIONALITY_NOT_ENABLED',
      'This SOAP API is not available here. Log-in and sessions are at /services/Soap/u, metadata at /services/Soap/m; everything else is REST, below /services/data.',
    )
  }
  const [, major, orgId] = ADDRESS.exec(path) ?? []
  checkSoapVersion(Number(major), settings)
  return {
    version: makeApiVersion(Number(major)),
    orgId: orgId === undefined ? undefined : (canonicalRecordId(orgId) ?? ''),
  }
}
