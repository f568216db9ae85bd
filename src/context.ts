import type { Principal } from './auth/principal.ts'
import type { ApiVersion } from './base/api-version.ts'
import type { Clock } from './base/clock.ts'
import type { Observe } from './base/observation.ts'
import type { Config } from './config.ts'
import type { SchemaSnapshot } from './schema/snapshot.ts'
import type { Db } from './storage/db.ts'
import type { Org } from './storage/org.ts'
import type { RecordIds } from './storage/record-ids.ts'

/** A call that other calls are the steps of. */
export type Container = 'composite' | 'batch' | 'graph'

/** In whose name, in which world, in which transaction a call is carried out. */
export interface Context {
  readonly org: Org
  readonly schema: SchemaSnapshot
  /** What of the schema the principal may read; for queries there is nothing else. */
  readonly visible: SchemaSnapshot
  readonly principal: Principal
  readonly version: ApiVersion
  readonly db: Db
  readonly ids: RecordIds
  /** What the call is a step of; undefined: it stands by itself. */
  readonly nested: Container | undefined
  readonly clock: Clock
  /** The server's address as clients see it: `https://records.example.com`. */
  readonly origin: string
  /** What of the server's settings a call has to know. */
  readonly settings: Pick<Config, 'versions' | 'retiredVersions' | 'bodyLimit'>
  readonly observe: Observe
}
