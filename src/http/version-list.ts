import { makeApiVersion, releaseLabel } from '../base/api-version.ts'
import type { Stage } from './visit.ts'

/** The living versions, oldest first; without a token. (contract/records 1.1) */
export const listVersions: Stage = ({ house, method }) => {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const versions = house.config.versions.map(makeApiVersion)
  return {
    status: 200,
    body: versions.map((version) => ({
      label: releaseLabel(version),
      url: version.path,
      version: version.text,
    })),
  }
}
