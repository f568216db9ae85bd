import { makeApiVersion, releaseLabel } from '../../base/api-version.ts'
import { getSupport } from '../../calls/version-support.ts'
import type { Config } from '../../config/config.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import type { OrgHosts } from '../../storage/orgs/org-hosts.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'

interface VersionServices {
  readonly config: Pick<Config, 'versions' | 'retiredVersions' | 'retirements'>
  readonly hosts: OrgHosts
  readonly clocks: OrgClocks
}

/** The versions that are served, oldest first; without a token. (docs/reference/api/limits-and-versions.md#version-list) */
export const listVersions =
  ({ config, hosts, clocks }: VersionServices): RequestHandler<HttpContext> =>
  async ({ request }) => {
    const org = await hosts.orgAt(request.hostname)
    const now = clocks.of(org?.id)()
    const served = config.versions.filter((major) => getSupport(major, config, now) !== 'retired')
    const versions = served.map(makeApiVersion)
    return {
      status: 200,
      body: versions.map((version) => ({
        label: releaseLabel(version),
        url: version.path,
        version: version.text,
      })),
    }
  }
