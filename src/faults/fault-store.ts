import type { Clock } from '../base/clock.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Observe } from '../base/observation.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { FaultEffect, FaultPlan } from './fault-plan.ts'
import { faultSql } from './faults.sql.ts'
import { type FaultCall, fits } from './fits.ts'
import { appliesTo } from './strikes.ts'

/** How old what is known of an org's plans may be, in milliseconds. */
const FRESH = 500

/** A plan with what came of it so far. */
export interface SetFault {
  readonly name: string
  readonly plan: FaultPlan
  /** How many calls it was about, and how many of them it struck. */
  readonly matched: number
  readonly struck: number
  readonly setAt: string
}

/** What strikes a call. */
export interface Met {
  /** Of the plan. */
  readonly name: string
  readonly effect: FaultEffect
}

/** What is known of an org's plans. */
interface Known {
  faults: readonly SetFault[]
  /** By the time of the machine, since it is about processes; undefined: to be asked again. */
  queriedAt: number | undefined
  queryContext: Promise<readonly SetFault[]> | undefined
}

/** Effects after which the call goes on and may meet other plans; after any other it has its end. */
const GOES_ON: readonly string[] = [
  'latency',
  'pageRows',
  'limitHeader',
  'haltAtStep',
] satisfies (keyof FaultEffect)[]

export const endsCall = (effect: FaultEffect) =>
  !Object.keys(effect).some((name) => GOES_ON.includes(name)) &&
  effect.cut !== 'afterCommit' &&
  effect.delivery !== 'twice'

/**
 * The failures that orgs rehearse. Plans are read at most twice a second; how often each met a call is counted in the
 * database, one call after the other, so that all processes together count right.
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

  /** In the order of their names. The counts are those of the moment when they were read. */
  plansOf({ id }: Org): Promise<readonly SetFault[]> | readonly SetFault[] {
    const known = getOrInsert(this.#known, id, () => ({
      faults: [],
      queriedAt: undefined,
      queryContext: undefined,
    }))
    if (known.queriedAt !== undefined && performance.now() - known.queriedAt < FRESH) return known.faults
    known.queryContext ??= this.#ask(id, known).finally(() => {
      known.queryContext = undefined
    })
    return known.queryContext
  }

  /** Something changed in this process: the next call looks. */
  expire(orgId: string): void {
    this.#known.delete(orgId)
  }

  /**
   * What strikes a call, in the order of the plans' names; each plan that it fits has counted it. One that ends the call
   * is the last: the plans behind it are not asked.
   */
  async meet(org: Org, call: FaultCall): Promise<readonly Met[]> {
    const met: Met[] = []
    for (const fault of await this.plansOf(org)) {
      const { name, plan } = fault
      if (!this.#isOn(org, plan) || !fits(plan, call) || !(await this.#inject(org, fault))) continue
      const { route, method } = call
      this.#observe({ kind: 'fault', name, orgId: org.id, route, method })
      met.push({ name, effect: plan.effect })
      if (endsCall(plan.effect)) break
    }
    return met
  }

  #isOn({ id }: Org, { until }: FaultPlan): boolean {
    return until?.time === undefined || this.#clockOf(id)().getTime() < Date.parse(until.time)
  }

  async #inject({ id }: Org, { name, plan, setAt }: SetFault): Promise<boolean> {
    const [matched] = await this.#db.query<{ number: number }>(faultSql.match(id, name, setAt))
    // It is another plan by now, or none.
    if (matched === undefined || !appliesTo(plan.match ?? {}, matched.number)) return false
    const max = plan.until?.count ?? null
    const [struck] = await this.#db.query(faultSql.inject(id, name, setAt, max))
    return struck !== undefined
  }

  async #ask(orgId: string, known: Known): Promise<readonly SetFault[]> {
    const began = performance.now()
    known.faults = await this.#db.query<SetFault>(faultSql.all(orgId))
    known.queriedAt = began
    return known.faults
  }
}
