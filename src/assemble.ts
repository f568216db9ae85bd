import type { FastifyInstance } from 'fastify'
import { findBudget } from './auth/apps/find-app.ts'
import { Attempts } from './auth/attempts.ts'
import type { SecretBox } from './auth/secret-box.ts'
import { Sessions } from './auth/sessions.ts'
import type { Clock } from './base/clock.ts'
import type { Observe } from './base/observation.ts'
import { makeDispatch } from './calls/dispatch.ts'
import { OrgRuntimes } from './calls/org-runtimes.ts'
import { Router } from './calls/router.ts'
import type { Config } from './config.ts'
import type { Triggers } from './context.ts'
import { BackgroundWork } from './customrest/background-work.ts'
import { DELIVERY_LOG, DeliveryLog } from './customrest/webhooks/delivery-log.ts'
import { NO_TRIGGERS } from './deployment/triggers/make-triggers.ts'
import { FaultStore } from './faults/fault-store.ts'
import { Journal } from './faults/journal/journal.ts'
import { applyDefinitions } from './first-start.ts'
import { routeHealth } from './http/health-routes.ts'
import { contextOfUser } from './http/make-context.ts'
import { routeMetrics } from './http/metrics-door.ts'
import { OpenConnections } from './http/open-connections.ts'
import { makeServer, makeSite } from './http/server.ts'
import { tellStatements } from './http/tell-statements.ts'
import type { House } from './http/visit.ts'
import { JobQueue } from './jobs/job-queue.ts'
import { allocationOf, EDITIONS } from './limits/editions.ts'
import { Ledger } from './limits/ledger.ts'
import { RateCounter } from './limits/rate-counter.ts'
import { RunningCalls } from './limits/running-calls.ts'
import { observeInto, openLog } from './log.ts'
import { Metrics } from './metrics.ts'
import { RecentlyUsed } from './recent/recently-used.ts'
import { ROUTES } from './resources/routes.ts'
import { setupRoutes } from './resources/setup/setup-routes.ts'
import { enqueueInto } from './scripting/jobs/enqueue-job.ts'
import { WORK_LOGS } from './scripting/work/work-log.sql.ts'
import type { Engine } from './storage/db.ts'
import { OrgClocks } from './storage/org-clocks.ts'
import { OrgHosts } from './storage/org-hosts.ts'

/** What a deployment adds to the platform: its own code. */
export interface Added {
  readonly triggers?: Triggers
  readonly code?: House['code']
  /** Whether there is a job of that name; default whether the code has it. */
  readonly hasJob?: (name: string) => boolean
  /** Where the job queue has its tables; default the usual place. */
  readonly queueSchema?: string
}

/** What answers calls on an open engine, whatever door they come through. */
export function makeHouse(
  engine: Engine,
  config: Config,
  clock: Clock,
  observe: Observe,
  secrets: SecretBox,
  {
    triggers = NO_TRIGGERS,
    code = { current: undefined },
    hasJob = (name) => code.current?.jobs.named(name) !== undefined,
    queueSchema,
  }: Added = {},
): House {
  const told = tellStatements({ config, observe })
  const db = engine.watched({ told })
  const reserved = engine.reserved({ told })
  const queue = new JobQueue(
    engine,
    WORK_LOGS,
    (message) => observe({ kind: 'notice', message }),
    queueSchema,
  )
  const runtimes = new OrgRuntimes(reserved, secrets)
  const mayRehearse = config.allowFaults !== 'false'
  const clocks = new OrgClocks(reserved, clock, mayRehearse)
  const journal = mayRehearse ? new Journal(db, clock) : undefined
  const sessions = new Sessions(reserved, clocks.of, config.sessionSeconds, (token) =>
    journal?.noteToken(token),
  )
  const running = new RunningCalls(config.callSeconds)
  const { calls, isEnforced } = allocationOf(config)
  const ledger = new Ledger({
    db: reserved,
    clockOf: clocks.of,
    limit: isEnforced ? calls : undefined,
    mostLongCalls: EDITIONS[config.edition].longCalls,
    longCalls: (orgId) => running.longCount(orgId, config.longCallSeconds),
    isRunning: (orgId) => running.has(orgId),
    budgetOf: (org, clientId) => findBudget(reserved, org, clientId),
  })
  const hosts = new OrgHosts(reserved)
  const router = new Router(ROUTES)
  const faults = mayRehearse ? new FaultStore(reserved, clocks.of, observe) : undefined
  const setup = setupRoutes({
    runtimes,
    sessions,
    secrets,
    hosts,
    clock,
    clocks,
    ledger,
    journal,
    adminUsername: config.adminUsername,
    applyDefinitions: (tx, org) => applyDefinitions(tx, config, [org]),
    code,
    queue,
    faults,
  })
  return {
    config,
    db,
    reserved,
    watched: (watch) => engine.watched(watch),
    running,
    clock,
    clocks,
    ledger,
    recent: new RecentlyUsed(reserved, clocks.of),
    journal,
    observe,
    faults,
    sessions,
    secrets,
    hosts,
    runtimes,
    dispatch: makeDispatch(router),
    dispatchSetup: makeDispatch(new Router(setup)),
    triggers,
    background: enqueueInto(queue, hasJob),
    code,
    queue,
    deliveries: new DeliveryLog({ db, queue, log: DELIVERY_LOG }),
    rates: new RateCounter(),
    callRates: new RateCounter(),
    attempts: new Attempts(reserved, clock, observe),
  }
}

/** Has this process do the background work of a deployment, as its code says by now. */
export function followerOf(house: House): (code: House['code']['current']) => Promise<void> {
  const work = new BackgroundWork({ ...house, contextFor: (org, who) => contextOfUser(house, org, who) })
  return (code) => work.follow(code)
}

/** All rooms put together, not yet listening. */
export interface Assembly {
  readonly house: House
  readonly server: FastifyInstance
  readonly site: FastifyInstance
  /** Those of both. */
  readonly connections: readonly OpenConnections[]
  /** From now on `/readyz` answers that the server is draining. */
  beginDraining(): void
}

/** Puts the rooms together on an open engine; the only place that knows all of them. */
export function assemble(
  engine: Engine,
  config: Config,
  clock: Clock,
  secrets: SecretBox,
  added?: Added,
  log = openLog(config.logLevel),
): Assembly {
  const metrics = new Metrics(() => house.running.count)
  const tell = observeInto(log)
  const observe: Observe = (observation) => {
    tell(observation)
    metrics.observe(observation)
  }
  const house: House = makeHouse(engine, config, clock, observe, secrets, added)
  const [server, site] = [makeServer(house), makeSite(house)]
  const connections = [server, site].map((one) => new OpenConnections(one))
  routeMetrics(server, metrics, config.metricsToken)
  let isDraining = false
  const checkReadiness = async () => (isDraining ? 'draining' : engine.checkReadiness())
  for (const one of [server, site]) routeHealth(one, checkReadiness)
  const beginDraining = () => {
    isDraining = true
  }
  return { house, server, site, connections, beginDraining }
}
