import { visibleTo } from '../access/visible-to.ts'
import type { Sessions } from '../auth/tokens/sessions.ts'
import { makeApiVersion } from '../base/api-version.ts'
import type { Observe } from '../base/observation.ts'
import type { Config } from '../config/config.ts'
import type { Background, Context, Triggers } from '../context.ts'
import { Budget } from '../formulas/language/budget.ts'
import { Answers } from '../quota/answer-bytes.ts'
import { getAllocation, getEventAllocation } from '../quota/editions.ts'
import type { QuotaStore } from '../quota/quota-store.ts'
import type { RunningCall } from '../quota/running-calls.ts'
import type { RecentlyViewed } from '../recent/recently-viewed.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'
import type { SlowQueries } from '../slowqueries/slow-queries.ts'
import { Commits, callersDb } from '../storage/callers-db.ts'
import type { Db, Engine } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { OrgClocks } from '../storage/orgs/org-clocks.ts'
import type { OrgRuntime, OrgRuntimes } from './org-runtimes.ts'
import { type ChangingApi, makeSource } from './source.ts'

/** A user by id or by username. */
export type Who = { readonly userId: string } | { readonly username: string }

/** The parts of a context that differ between calls. */
type CallFields = Pick<
  Context,
  'schema' | 'principal' | 'access' | 'version' | 'origin' | 'source' | 'faults'
>

/** The HTTP request that a context is for. */
interface RequestOrigin {
  readonly requestId: string
  /** Undefined if the request has no deadline. */
  readonly running: RunningCall | undefined
}

interface ContextServices {
  readonly config: Config
  /** For work outside of HTTP requests. */
  readonly db: Db
  /** Makes the `Db` of a call. */
  readonly watched: Engine['watched']
  readonly runtimes: OrgRuntimes
  readonly sessions: Sessions
  readonly clocks: OrgClocks
  readonly quotaStore: QuotaStore
  readonly recent: RecentlyViewed
  readonly searchIndexes: SearchIndexUses
  readonly slowQueries: SlowQueries
  readonly triggers: Triggers
  readonly background: Background
  readonly bulk: Context['bulk']
  readonly deploys: Context['deploys']
  readonly observe: Observe
}

/** Has the search indexes of objects built that need it. */
interface SearchIndexUses {
  searched(place: Pick<Context, 'org' | 'schema'>, object: ObjectType, isSlow: boolean): void
  wrote(place: Pick<Context, 'org' | 'schema'>, object: ObjectType, records: number): void
}

/** The deadline of work without a time limit. */
const NEVER = new AbortController().signal

/** Makes the contexts of calls that come over HTTP, from a job or from the command line. */
export class ContextFactory {
  readonly #services: ContextServices
  readonly #answers: Answers

  constructor(services: ContextServices) {
    this.#services = services
    this.#answers = new Answers(services.config.answerLimit)
  }

  /** The context of a call that is not a step of another one. */
  make(
    { org, ids, cipher, snapshots, topics }: OrgRuntime,
    call: CallFields,
    request?: RequestOrigin,
  ): Context {
    const {
      clocks,
      config,
      triggers,
      background,
      bulk,
      deploys,
      sessions,
      quotaStore,
      recent,
      slowQueries,
      db,
      watched,
    } = this.#services
    const { searchIndexes } = this.#services
    const { userId } = call.principal
    const running = request?.running
    const place = { org, schema: call.schema }
    const budget = running && Budget.ofCall()
    const commits = new Commits()
    const events = getEventAllocation(config)
    return {
      ...call,
      org,
      ids,
      cipher: running === undefined ? cipher : cipher.noting((text) => running.noteSecret(text)),
      async refresh(db) {
        const schema = await snapshots.reload(db)
        return { schema, visible: visibleTo(call.access, schema) }
      },
      visible: visibleTo(call.access, call.schema),
      accessChanged() {
        snapshots.expire()
        sessions.expectRevocations()
      },
      db: callersDb(running === undefined ? db : watched(running), org, userId, commits),
      commits,
      answer: running === undefined ? this.#answers.each : this.#answers.of(running),
      formulaBudget: () => Budget.ofList(budget),
      deadline: () => running?.deadline ?? NEVER,
      nested: undefined,
      triggers,
      topics: topics.current,
      triggerDepth: 0,
      background,
      bulk,
      deploys,
      recent: {
        note: (use, recordIds) => recent.note(use, org, userId, recordIds),
        list: (db, max, prefix) => recent.list(db, org, userId, prefix, max),
      },
      searchIndexes: {
        searched: (object, isSlow) => searchIndexes.searched(place, object, isSlow),
        wrote: (object, records) => searchIndexes.wrote(place, object, records),
      },
      slowQueries: { note: (query, version, took) => slowQueries.note(org.id, query, version, took) },
      clock: clocks.of(org.id),
      events: {
        max: { delivered: events.delivered.max, published: events.published.max },
        used: (db, use) => quotaStore.usedEvents(org, use, db),
        publish: (db, count) => quotaStore.takeEvents(org, 'published', count, db),
      },
      allocation: { calls: getAllocation(config).calls, used: () => quotaStore.used(org.id) },
      settings: config,
      worksOn(object) {
        if (running !== undefined) running.object = object?.toLowerCase()
      },
      observe: request === undefined ? this.#services.observe : this.#observeFor(request),
    }
  }

  /** The context of work on behalf of a user outside of HTTP. Undefined when the user does not exist or is inactive. */
  async makeForUser(org: Org, who: Who, api: ChangingApi = 'apex'): Promise<Context | undefined> {
    const { config, runtimes, clocks } = this.#services
    await clocks.catchUp()
    const runtime = runtimes.of(org)
    const { callers } = runtime
    const caller = await ('username' in who ? callers.named(who.username) : callers.of(who.userId))
    if (caller === undefined) return undefined
    const version = makeApiVersion(config.versions.at(-1)!)
    return this.make(runtime, {
      schema: await runtime.snapshots.current(),
      principal: caller.principal,
      access: caller.access,
      version,
      source: makeSource(api, version),
      origin: config.publicUrl ?? `http://${config.host}:${config.port}`,
    })
  }

  /** Reports failures with the id of their request. */
  #observeFor({ requestId }: RequestOrigin): Observe {
    const { observe } = this.#services
    return (observation) =>
      observe(observation.kind === 'failure' ? { ...observation, requestId } : observation)
  }
}
