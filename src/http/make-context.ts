import { visibleTo } from '../access/visible-to.ts'
import type { OrgRuntime } from '../calls/org-runtimes.ts'
import type { Context } from '../context.ts'
import type { House } from './visit.ts'

/** What is different from call to call. */
type Caller = Pick<Context, 'schema' | 'principal' | 'access' | 'version' | 'origin'>

/** The context of a call that stands by itself, whether it came by a door or from the command line. */
export function makeContext(house: House, { org, ids, snapshots }: OrgRuntime, caller: Caller): Context {
  const { db, clock, config, observe, triggers, sessions } = house
  return {
    ...caller,
    org,
    ids,
    async refresh() {
      const schema = await snapshots.reload()
      return { schema, visible: visibleTo(caller.access, schema) }
    },
    visible: visibleTo(caller.access, caller.schema),
    accessChanged() {
      snapshots.expire()
      sessions.expectRevocations()
    },
    db,
    nested: undefined,
    triggers,
    triggerDepth: 0,
    clock,
    settings: config,
    observe,
  }
}
