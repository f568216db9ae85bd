import type { OrgRuntime } from '../calls/org-runtimes.ts'
import type { Context } from '../context.ts'
import type { House } from './visit.ts'

/** What is different from call to call. */
type Caller = Pick<Context, 'schema' | 'principal' | 'version' | 'origin'>

/** The context of a call that stands by itself, whether it came by a door or from the command line. */
export function makeContext(house: House, { org, ids, snapshots }: OrgRuntime, caller: Caller): Context {
  const { db, clock, config, observe, triggers } = house
  return {
    ...caller,
    org,
    ids,
    async refresh() {
      const schema = await snapshots.reload()
      return { schema, visible: schema }
    },
    // Who sees what comes with permissions.
    visible: caller.schema,
    db,
    nested: undefined,
    triggers,
    triggerDepth: 0,
    clock,
    settings: config,
    observe,
  }
}
