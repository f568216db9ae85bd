import { makeApiVersion } from '../base/api-version.ts'
import type { DataPath } from '../calls/data-path.ts'
import type { Visit } from './visit.ts'

/** What a path means behind a door without versions: such a door speaks as the newest one. */
export function newestTarget({ house, path }: Visit, prefix: string): DataPath {
  const version = makeApiVersion(house.config.versions.at(-1)!)
  return { version, path: path.slice(prefix.length) || '/' }
}
