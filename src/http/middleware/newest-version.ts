import { makeApiVersion } from '../../base/api-version.ts'
import type { Config } from '../../config/config.ts'
import type { HttpContext, Routed } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'

/**
 * Endpoints whose path names no version use the newest one.
 * @param prefix what precedes the path of the resource
 */
export const useNewestVersion =
  (
    { config }: { readonly config: Pick<Config, 'versions'> },
    prefix: RegExp,
  ): Middleware<HttpContext, Routed> =>
  ({ path }) => {
    const version = makeApiVersion(config.versions.at(-1)!)
    return { target: { version, path: path.replace(prefix, '') || '/' } }
  }
