import { visibleTo } from '../access/visible-to.ts'
import { makeApiVersion } from '../base/api-version.ts'
import type { Observe } from '../base/observation.ts'
import type { OrgRuntime } from '../calls/org-runtimes.ts'
import type { Context } from '../context.ts'
import { allocationOf } from '../limits/editions.ts'
import type { RunningCall } from '../limits/running-calls.ts'
import type { Who } from '../scripting/work/runner.ts'
import { callersDb } from '../storage/callers-db.ts'
import type { Org } from '../storage/org.ts'
import type { House } from './visit.ts'

/** What is different from call to call. */
type Caller = Pick<Context, 'schema' | 'principal' | 'access' | 'version' | 'origin' | 'faults'>

/** What a context belongs to that came by a door. */
interface Asked {
  readonly requestId: string
  /** Undefined: it takes its time. */
  readonly running: RunningCall | undefined
}

/** The deadline of what nobody waits for. */
const NEVER = new AbortController().signal

/** Failures are told of with the request that they belong to. */
const observeFor =
  ({ observe }: House, { requestId }: Asked): Observe =>
  (observation) =>
    observe(observation.kind === 'failure' ? { ...observation, requestId } : observation)

/** The context of a call that stands by itself, whether it came by a door or from the command line. */
export function makeContext(
  house: House,
  { org, ids, snapshots, cipher }: OrgRuntime,
  caller: Caller,
  asked?: Asked,
): Context {
  const { clocks, config, triggers, background, sessions, ledger, recent } = house
  const { userId } = caller.principal
  const running = asked?.running
  return {
    ...caller,
    org,
    ids,
    cipher,
    async refresh(db) {
      const schema = await snapshots.reload(db)
      return { schema, visible: visibleTo(caller.access, schema) }
    },
    visible: visibleTo(caller.access, caller.schema),
    accessChanged() {
      snapshots.expire()
      sessions.expectRevocations()
    },
    db: callersDb(running === undefined ? house.db : house.watched(running), org, userId),
    // Made when somebody asks.
    get deadline() {
      return running?.deadline ?? NEVER
    },
    nested: undefined,
    triggers,
    triggerDepth: 0,
    background,
    recent: {
      note: (use, recordIds) => recent.note(use, org, userId, recordIds),
      list: (db, most, prefix) => recent.list(db, org, userId, prefix, most),
    },
    clock: clocks.of(org.id),
    allocation: { calls: allocationOf(config).calls, used: () => ledger.used(org.id) },
    settings: config,
    worksOn(object) {
      if (running !== undefined) running.object = object?.toLowerCase()
    },
    observe: asked === undefined ? house.observe : observeFor(house, asked),
  }
}

/** The context of what is done in a user's name by nobody's call. Undefined: there is no such user, or he is not active. */
export async function contextOfUser(house: House, org: Org, who: Who): Promise<Context | undefined> {
  const { config, runtimes, clocks } = house
  await clocks.catchUp()
  const runtime = runtimes.of(org)
  const { callers } = runtime
  const caller = await ('username' in who ? callers.named(who.username) : callers.of(who.userId))
  if (caller === undefined) return undefined
  return makeContext(house, runtime, {
    schema: await runtime.snapshots.current(),
    principal: caller.principal,
    access: caller.access,
    version: makeApiVersion(config.versions.at(-1)!),
    origin: config.publicUrl ?? `http://${config.host}:${config.port}`,
  })
}
