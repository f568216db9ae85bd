import { makeApiVersion, releaseLabel } from '../base/api-version.ts'
import { supportOf } from '../calls/version-support.ts'
import type { Stage } from './visit.ts'

/** The living versions, oldest first; without a token. (contract/records 1.1) */
export const listVersions: Stage = async ({ house, method, request }) => {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const org = await house.hosts.orgAt(request.hostname)
  const now = org === undefined ? house.clock() : house.clocks.of(org.id)()
  const living = house.config.versions.filter((major) => supportOf(major, house.config, now) !== 'retired')
  const versions = living.map(makeApiVersion)
  return {
    status: 200,
    body: versions.map((version) => ({
      label: releaseLabel(version),
      url: version.path,
      version: version.text,
    })),
  }
}
