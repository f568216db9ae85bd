import type { FastifyInstance } from 'fastify'
import { setupRoutes } from '../admin/setup-routes.ts'
import { findApp, findBudget } from '../auth/apps/find-app.ts'
import { Attempts } from '../auth/attempts/attempts.ts'
import { LoginHistory } from '../auth/history/login-history.ts'
import type { SecretBox } from '../auth/keys/secret-box.ts'
import { Sessions } from '../auth/tokens/sessions.ts'
import { EventTriggers } from '../automation/event-triggers/event-triggers.ts'
import { NO_TRIGGERS } from '../automation/triggers/make-triggers.ts'
import type { Clock } from '../base/clock.ts'
import type { Observe } from '../base/observation.ts'
import { classicRoutes } from '../bulk/classic/classic-routes.ts'
import { BULK_QUEUE, BulkWork } from '../bulk/work/bulk-work.ts'
import { CallLog } from '../calllog/call-log.ts'
import { ContextFactory } from '../calls/context-factory.ts'
import { makeDispatch, toApiError } from '../calls/dispatch.ts'
import { OrgRuntimes } from '../calls/org-runtimes.ts'
import { Router } from '../calls/router.ts'
import type { Config } from '../config/config.ts'
import type { Triggers } from '../context.ts'
import { BackgroundWork } from '../customrest/background-work.ts'
import { findMissingUsers } from '../customrest/missing-users.ts'
import { DELIVERY_LOG, DeliveryLog } from '../customrest/webhooks/delivery-log.ts'
import { CommonDefinitions } from '../definitions/common/common-definitions.ts'
import { FaultStore } from '../faults/fault-store.ts'
import { FollowerFaults } from '../faults/follower-faults.ts'
import { Journal } from '../faults/journal/journal.ts'
import { type HttpServices, makeServer, makeSite } from '../http/endpoints.ts'
import { makeStatementReporter } from '../http/middleware/report-statements.ts'
import { routeHealth } from '../http/server/health.ts'
import { routeMetrics } from '../http/server/metrics-endpoint.ts'
import { OpenConnections } from '../http/server/open-connections.ts'
import { JobQueue } from '../jobs/job-queue.ts'
import { DEPLOY_QUEUE, DeployWork } from '../metadata/deploy/deploy-work.ts'
import { SearchIndexRequests } from '../orgs/upgrades/search-index-requests.ts'
import { UPGRADE_STEPS } from '../orgs/upgrades/upgrade-steps.ts'
import { UpgradeWorker } from '../orgs/upgrades/upgrade-worker.ts'
import { EDITIONS, getAllocation, getEventAllocation } from '../quota/editions.ts'
import { QuotaStore } from '../quota/quota-store.ts'
import { RateCounter } from '../quota/rate-counter.ts'
import { RunningCalls } from '../quota/running-calls.ts'
import { RecentlyViewed } from '../recent/recently-viewed.ts'
import { ROUTES } from '../resources/routes.ts'
import { enqueueInto } from '../scripting/jobs/enqueue-job.ts'
import { WORK_LOGS } from '../scripting/work/work-log.sql.ts'
import { SlowQueries } from '../slowqueries/slow-queries.ts'
import type { Engine } from '../storage/database/db.ts'
import { unlessNodeFails } from '../storage/database/pg-error.ts'
import { OrgClocks } from '../storage/orgs/org-clocks.ts'
import { OrgHosts } from '../storage/orgs/org-hosts.ts'
import { findNamedOrg, loadOrgs } from '../storage/orgs/orgs.ts'
import { CometD } from '../streaming/cometd/cometd.ts'
import { EventFeed } from '../streaming/event-feed.ts'
import { TOPICS } from '../streaming/topics/load-topics.ts'
import { observeInto, openLog } from './log.ts'
import { Metrics } from './metrics.ts'

/** The deployment's own code and its settings. */
export interface Added {
  readonly triggers?: Triggers | undefined
  readonly code?: HttpServices['code'] | undefined
  /** True if a job of that name exists; by default, whether the code has it. */
  readonly hasJob?: (name: string) => boolean
  /** Database schema of the job queue; undefined: the default. */
  readonly queueSchema?: string
}

/** The services that carry out calls; the process has to close them. */
export interface Services extends HttpServices {
  /** Runs background jobs. */
  readonly queue: JobQueue
  /** Processes bulk jobs. */
  readonly bulkWork: BulkWork
  /** Deploys archives. */
  readonly deployWork: DeployWork
  readonly eventTriggers: EventTriggers
  /** Requests for search indexes. */
  readonly searchIndexes: SearchIndexRequests
  readonly logins: LoginHistory
  /** Records that users viewed recently. */
  readonly recent: RecentlyViewed
  readonly slowQueries: SlowQueries
  readonly definitions: CommonDefinitions
}

/** Makes the services on an open engine, for calls over HTTP and from the command line. */
export function makeServices(
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
): Services {
  const reported = makeStatementReporter({ config, observe })
  const db = engine.watched({ reported })
  const reserved = engine.reserved({ reported })
  const queue = new JobQueue(
    engine,
    [...WORK_LOGS, BULK_QUEUE, DEPLOY_QUEUE],
    (message) => observe({ kind: 'notice', message }),
    queueSchema,
  )
  const definitions = new CommonDefinitions(db)
  const runtimes = new OrgRuntimes(reserved, secrets, TOPICS, (org) => definitions.prepare(org))
  const allowsFaults = config.allowFaults !== 'false'
  const clocks = new OrgClocks(reserved, clock, allowsFaults)
  const journal = allowsFaults ? new Journal(db, clock) : undefined
  const logins = new LoginHistory(reserved, clocks.of)
  const sessions = new Sessions(reserved, clocks.of, config.sessionSeconds, (token) => {
    journal?.noteToken(token)
    logins.note(token)
  })
  const running = new RunningCalls(config.callSeconds)
  const { calls, isEnforced } = getAllocation(config)
  const events = getEventAllocation(config)
  const quotaStore = new QuotaStore({
    db: reserved,
    clockOf: clocks.of,
    limit: isEnforced ? calls : undefined,
    eventLimits: { delivered: events.delivered.limit, published: events.published.limit },
    maxLongCalls: EDITIONS[config.edition].longCalls,
    longCalls: (orgId) => running.longCount(orgId, config.longCallSeconds),
    isRunning: (orgId) => running.has(orgId),
    budgetOf: (org, clientId) => findBudget(reserved, org, clientId),
  })
  const hosts = new OrgHosts(reserved, (ids) => runtimes.keepOnly(ids))
  const router = new Router(ROUTES)
  const faults = allowsFaults ? new FaultStore(reserved, clocks.of, observe) : undefined
  const slowQueries = new SlowQueries(reserved)
  const callLog = new CallLog(reserved)
  const searchIndexes = new SearchIndexRequests(reserved)
  const adminRoutes = setupRoutes({
    engine: engine.kind,
    callLog,
    slowQueries,
    runtimes,
    sessions,
    secrets,
    hosts,
    clock,
    clocks,
    quotaStore,
    journal,
    adminUsername: config.adminUsername,
    definitions,
    code,
    queue,
    faults,
    wakeUpgrades: () => searchIndexes.onRequested(),
  })
  const feed = new EventFeed({ db: reserved, observe, config })
  const nameOfApp = async (clientId: string) => (await findApp(reserved, clientId))?.name
  const followerFaults = faults && new FollowerFaults({ store: faults, journal, clock, nameOfApp })
  const recent = new RecentlyViewed(reserved, clocks.of)
  const bulkWork: BulkWork = new BulkWork({
    ...{ db, config, queue, hosts, observe },
    openMaintenance: () => engine.openMaintenance(),
    clockOf: clocks.of,
    contextFor: (org, who) => contexts.makeForUser(org, who, 'bulkapi'),
    matchFaults: faults && ((org, call) => faults.matchCall(org, call)),
  })
  const deployWork = new DeployWork({
    ...{ db, queue, hosts, observe, config },
    runtimeOf: (org) => runtimes.of(org),
    clockOf: clocks.of,
    wakeUpgrades: () => searchIndexes.onRequested(),
  })
  const contexts: ContextFactory = new ContextFactory({
    slowQueries,
    config,
    db,
    watched: (watch) => engine.watched(watch),
    runtimes,
    sessions,
    clocks,
    quotaStore,
    recent,
    searchIndexes,
    triggers,
    background: enqueueInto(queue, hasJob),
    bulk: bulkWork,
    deploys: deployWork,
    observe,
  })
  return {
    config,
    db,
    definitions,
    reserved,
    running,
    clock,
    clocks,
    quotaStore,
    logins,
    recent,
    searchIndexes,
    slowQueries,
    callLog,
    contexts,
    journal,
    observe,
    faults,
    sessions,
    secrets,
    hosts,
    runtimes,
    dispatch: makeDispatch(router),
    dispatchAdmin: makeDispatch(new Router(adminRoutes)),
    dispatchClassic: makeDispatch(new Router(classicRoutes)),
    code,
    queue,
    bulkWork,
    deployWork,
    feed,
    eventTriggers: new EventTriggers({ triggers, feed, reserved, contexts, hosts, observe, config }),
    followerFaults,
    deliveries: new DeliveryLog({ db, queue, log: DELIVERY_LOG }),
    deliveryRates: new RateCounter(),
    callRates: new RateCounter(),
    attempts: new Attempts(reserved, clock, observe),
    cometd: new CometD({
      reserved,
      feed,
      maxClients: EDITIONS[config.edition].followers,
      faults: followerFaults,
      deliver: (org, count) => quotaStore.takeEvents(org, 'delivered', count),
      toApiError: (thrown) => toApiError(thrown, { observe }),
    }),
  }
}

/** Maximum number of orgs that are looked through for what the deployment's code needs. */
export const MAX_CHECKED_ORGS = 20

/**
 * Makes the function that starts the background work of deployed code whenever that is loaded. It gives a line for each
 * user who is missing.
 */
export function makeBackgroundWork(
  services: Services,
): (code: HttpServices['code']['current']) => Promise<readonly string[]> {
  const { contexts } = services
  const work = new BackgroundWork({
    ...services,
    contextFor: (org, who) => contexts.makeForUser(org, who),
  })
  return async (code) => {
    await work.follow(code)
    const lines: string[] = []
    for (const org of code === undefined ? [] : (await loadOrgs(services.db)).slice(0, MAX_CHECKED_ORGS)) {
      lines.push(...(await unlessNodeFails(findMissingUsers(services.db, org, code), [])))
    }
    return lines
  }
}

/** Makes what carries out the background steps of all orgs. */
export const makeUpgradeWorker = (services: Services, engine: Engine): UpgradeWorker =>
  new UpgradeWorker({
    ...services,
    steps: [services.definitions.step, ...UPGRADE_STEPS],
    openMaintenance: () => engine.openMaintenance(),
  })

/** A server that is not listening yet. */
export interface Assembly {
  readonly services: Services
  readonly server: FastifyInstance
  readonly site: FastifyInstance
  /** The connections of both servers. */
  readonly connections: readonly OpenConnections[]
  /** Makes `/readyz` answer that the server is draining. */
  beginDraining(): void
}

/** Several processes that serve together, as one of them sees them. */
export interface ServerGroup {
  /** True if another process has migrated the database and made the first org. */
  readonly isPrepared: boolean
  /** True if all processes serve. */
  readonly isReady: boolean
  /**
   * @param own the metrics of this process
   * @returns the function that collects those of all processes
   */
  shareMetrics(own: () => Promise<string>): () => Promise<string>
}

/** Makes a server on an open engine. This file is the only one that knows all modules. */
export function assemble(
  engine: Engine,
  config: Config,
  clock: Clock,
  secrets: SecretBox,
  added?: Added,
  log = openLog(config.logLevel),
  group?: ServerGroup,
): Assembly {
  const metrics = new Metrics(() => services.running.count)
  const writeLog = observeInto(log)
  const observe: Observe = (observation) => {
    writeLog(observation)
    metrics.observe(observation)
  }
  const services: Services = makeServices(engine, config, clock, observe, secrets, added)
  const [server, site] = [makeServer(services), makeSite(services)]
  const connections = [server, site].map((one) => new OpenConnections(one, config.callSeconds))
  const { contentType } = metrics
  const ownMetrics = () => metrics.text()
  const text = group?.shareMetrics(ownMetrics) ?? ownMetrics
  routeMetrics(server, { contentType, text }, config.metricsToken)
  let isDraining = false
  const checkReadiness = async () => {
    if (isDraining) return 'draining'
    return group === undefined || group.isReady ? engine.checkReadiness() : 'starting'
  }
  routeHealth(site, checkReadiness)
  routeHealth(server, async (named) => {
    const readiness = await checkReadiness()
    if (readiness !== 'ready' || named === undefined) return readiness
    const org = await findNamedOrg(services.reserved, named)
    // Anybody may call it, so it does not say which orgs there are.
    return org === undefined ? readiness : engine.checkReadiness(org.id)
  })
  const beginDraining = () => {
    isDraining = true
  }
  return { services, server, site, connections, beginDraining }
}
