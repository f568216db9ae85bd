import type { Clock } from '../base/clock.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Observe } from '../base/observation.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { FaultEffect, FaultPlan } from './fault-plan.ts'
import { faultSql } from './faults.sql.ts'
import { appliesTo, type FaultCall, matchesCall } from './match-call.ts'

/** Maximum age of the cached plans of an org. */
const MAX_AGE_MS = 500

/** A plan with its counts. */
export interface SetFault {
  readonly name: string
  readonly plan: FaultPlan
  /** How many calls matched it, and into how many of them it was injected. */
  readonly matched: number
  readonly struck: number
  readonly setAt: string
}

/** A fault injected into a call. */
export interface InjectedFault {
  /** Of the plan. */
  readonly name: string
  readonly effect: FaultEffect
}

/** The cached plans of an org. */
interface Known {
  faults: readonly SetFault[]
  /** By the system clock, since the cache belongs to the process; undefined: not loaded yet. */
  queriedAt: number | undefined
  loading: Promise<readonly SetFault[]> | undefined
}

/** Effects after which the call goes on and further plans may apply; any other ends it. */
const CONTINUING_EFFECTS: readonly string[] = [
  'latency',
  'pageRows',
  'limitHeader',
  'haltAtStep',
] satisfies (keyof FaultEffect)[]

export const endsCall = (effect: FaultEffect) =>
  !Object.keys(effect).some((name) => CONTINUING_EFFECTS.includes(name)) &&
  effect.cut !== 'afterCommit' &&
  effect.delivery !== 'twice'

/**
 * The fault plans of orgs. Plans are loaded at most twice a second; their matches are counted in the database, one call at
 * a time, so that counts are exact over all processes.
 */
export class FaultStore {
  readonly #db: Db
  readonly #clockOf: (orgId: string) => Clock
  readonly #observe: Observe
  readonly #known = new Map<string, Known>()

  constructor(db: Db, clockOf: (orgId: string) => Clock, observe: Observe) {
    this.#db = db
    this.#clockOf = clockOf
    this.#observe = observe
  }

  /** In the order of their names. The counts are those of when they were loaded. */
  loadPlans({ id }: Org): Promise<readonly SetFault[]> | readonly SetFault[] {
    const known = getOrInsert(this.#known, id, () => ({
      faults: [],
      queriedAt: undefined,
      loading: undefined,
    }))
    if (known.queriedAt !== undefined && performance.now() - known.queriedAt < MAX_AGE_MS) return known.faults
    known.loading ??= this.#load(id, known).finally(() => {
      known.loading = undefined
    })
    return known.loading
  }

  /** True while a plan of that name is set, and its time is not over. */
  async holds(org: Org, name: string): Promise<boolean> {
    const plans = await this.loadPlans(org)
    return plans.some((fault) => fault.name === name && this.#isActive(org, fault.plan))
  }

  /** Discards the cached plans after a change in this process. */
  expire(orgId: string): void {
    this.#known.delete(orgId)
  }

  /**
   * The faults to inject into a call, in the order of the plans' names; each plan that matches has counted it. A fault that
   * ends the call is the last one: later plans are not matched.
   */
  async matchCall(org: Org, call: FaultCall): Promise<readonly InjectedFault[]> {
    const injected: InjectedFault[] = []
    for (const fault of await this.loadPlans(org)) {
      const { name, plan } = fault
      if (!this.#isActive(org, plan) || !matchesCall(plan, call) || !(await this.#inject(org, fault)))
        continue
      const { route, method } = call
      this.#observe({ kind: 'fault', name, orgId: org.id, route, method })
      injected.push({ name, effect: plan.effect })
      if (endsCall(plan.effect)) break
    }
    return injected
  }

  #isActive({ id }: Org, { until }: FaultPlan): boolean {
    return until?.time === undefined || this.#clockOf(id)().getTime() < Date.parse(until.time)
  }

  async #inject({ id }: Org, { name, plan, setAt }: SetFault): Promise<boolean> {
    const [matched] = await this.#db.query<{ number: number }>(faultSql.match(id, name, setAt))
    // The plan was replaced or removed meanwhile.
    if (matched === undefined || !appliesTo(plan.match ?? {}, matched.number)) return false
    const max = plan.until?.count ?? null
    const [struck] = await this.#db.query(faultSql.inject(id, name, setAt, max))
    return struck !== undefined
  }

  async #load(orgId: string, known: Known): Promise<readonly SetFault[]> {
    const began = performance.now()
    known.faults = await this.#db.query<SetFault>(faultSql.all(orgId))
    known.queriedAt = began
    return known.faults
  }
}
