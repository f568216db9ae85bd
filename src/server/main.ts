import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { SecretBox } from '../auth/keys/secret-box.ts'
import { checkSecretKey, openSecretBox } from '../auth/keys/secret-key.ts'
import { findAdministrator } from '../auth/users/users.ts'
import { findMissingObjects } from '../automation/triggers/find-missing-objects.ts'
import { type DeployedTriggers, loadTriggers } from '../automation/triggers/load-triggers.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Observe } from '../base/observation.ts'
import type { Config } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'
import { CodeStore } from '../customrest/code-store.ts'
import { CommonDefinitions } from '../definitions/common/common-definitions.ts'
import { currentRequest } from '../http/server/current-request.ts'
import { finishRequests } from '../http/server/finish-requests.ts'
import { warmUp } from '../http/server/warm-up.ts'
import { currentMark } from '../orgs/upgrade-org.ts'
import type { UpgradeWorker } from '../orgs/upgrades/upgrade-worker.ts'
import { RecycleBins } from '../records/recycle-bin/recycle-bins.ts'
import { retryOnLockTimeout } from '../schema/change/retry-on-lock-timeout.ts'
import { TableStatistics } from '../schema/statistics/table-statistics.ts'
import type { Engine } from '../storage/database/db.ts'
import { isNodeFailure } from '../storage/database/pg-error.ts'
import { explainEngineError } from '../storage/embedded/database-folder.ts'
import { migrate } from '../storage/migrate.ts'
import { databaseFolder, openEngine } from '../storage/open-engine.ts'
import { loadFirstOrg, loadOrgs } from '../storage/orgs/orgs.ts'
import { checkPostgres } from '../storage/postgres/check-postgres.ts'
import { announceServer } from '../storage/running-server.ts'
import { Watchdog } from '../watchdog/watchdog.ts'
import {
  type Added,
  type Assembly,
  assemble,
  MAX_CHECKED_ORGS,
  makeBackgroundWork,
  makeUpgradeWorker,
  type ServerGroup,
  type Services,
} from './assemble.ts'
import { closePieces } from './close-pieces.ts'
import {
  type FirstApp,
  type FirstOrg,
  type FirstUser,
  provisionFirstOrg,
  setDefinitions,
  setFaults,
} from './first-start.ts'
import { observeInto, openLog } from './log.ts'
import { outliveStrays } from './outlive-strays.ts'
import { unsafeSettings } from './unsafe-settings.ts'

/** Part of the stop time that is reserved for closing services after calls have ended: a quarter, at most this. */
const MAX_CLOSING_MS = 5000

/** How a server stopped: all calls ended by themselves, or some were cancelled because the time was up. */
type StopOutcome = 'finished' | 'cancelled'

/** A running server. */
export interface Objectry {
  readonly engine: Engine
  /** Its URL: `http://127.0.0.1:8080`. */
  readonly address: string
  /** URL of the public site; undefined if it is off, or its default port is in use. */
  readonly siteAddress: string | undefined
  /** Only at the first start with a database. */
  readonly firstApp: FirstApp | undefined
  readonly firstUser: FirstUser | undefined
  /** A token of the first org's administrator that works as long as this process. */
  issueToken(): Promise<string>
  /** Logs a notice. */
  report(message: string): void
  /** Starts a watchdog that reports what blocks the event loop. For a process that only serves. */
  watchEventLoop(): void
  /** Goes on, and logs an error, when something fails that nothing waits for. For a process that only serves. */
  outliveStrays(): void
  /** Refuses new calls after the drain time, completes running ones, and closes everything within the time limit. */
  stop(): Promise<StopOutcome>
}

interface Loaded extends Added {
  readonly triggers?: DeployedTriggers
  readonly code?: CodeStore
}

/** Loads the deployment's code. */
async function loadAdded(
  { deployment, handlerThreads, handlerMemory, watch }: Config,
  observe: Observe,
): Promise<Loaded> {
  if (deployment === undefined) return {}
  const triggers = await loadTriggers(deployment)
  const code = await CodeStore.open(deployment, {
    threads: handlerThreads,
    megabytes: handlerMemory,
    watch,
    observe,
  })
  return { triggers, code }
}

/**
 * Opens the public site. If its default port is in use, as by a second server on a machine, the server runs without it.
 * @returns its URL; undefined if it is not open
 */
async function listenAsSite(
  site: FastifyInstance,
  { host, sitePort: port }: Config,
): Promise<string | undefined> {
  if (port === undefined) return undefined
  try {
    return await site.listen({ host, port })
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (isTaken && String(port) === SETTINGS.sitePort.default) return undefined
    throw error
  }
}

/** The URL at which this machine reaches a server: one that listens on all addresses is reached on loopback. */
function ownAddress(server: FastifyInstance): string {
  const { address, port, family } = server.server.address() as AddressInfo
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}

/** An access token of the first org's administrator; undefined if there is no such user. */
async function issueToken({ db, sessions }: Pick<Services, 'db' | 'sessions'>): Promise<string | undefined> {
  const org = await loadFirstOrg(db)
  const administrator = await findAdministrator(db, org!)
  return administrator && sessions.issueUnstored(org!, administrator.id)
}

/**
 * The embedded engine belongs to one process, so commands on this machine use that process: it publishes its URL.
 * @returns a function that removes the publication
 */
async function announce({ services, server }: Assembly): Promise<() => void> {
  const { config } = services
  if (config.databaseUrl !== undefined || config.data === 'memory') return () => {}
  const token = await issueToken(services)
  return token === undefined ? () => {} : announceServer(config.data, { address: ownAddress(server), token })
}

/**
 * Migrates the database, makes the first org or brings it up to date, and sets what the deployment defines. All other orgs are brought
 * up to date while the server serves.
 * @returns what was made at the first start
 */
async function prepare(
  { db, kind }: Engine,
  config: Config,
  clock: Clock,
  secrets: SecretBox,
  definitions: CommonDefinitions,
  warn: (message: string) => void,
): Promise<FirstOrg | undefined> {
  const warning = kind === 'postgres' ? await checkPostgres(db) : undefined
  if (warning !== undefined) warn(warning)
  const first = await db.transaction(async (tx) => {
    await migrate(tx)
    await checkSecretKey(tx, secrets, config)
    const made = await provisionFirstOrg(tx, config, clock, secrets)
    if (made === undefined) return undefined
    await setDefinitions(tx, config, definitions)
    await definitions.apply(tx, (await loadFirstOrg(tx))!)
    await setFaults(tx, config)
    return made
  })
  if (first !== undefined) return first
  const bringUp = (withFirst: boolean) =>
    retryOnLockTimeout(db, async (tx) => {
      await setDefinitions(tx, config, definitions)
      const isRequested = (await definitions.request(tx)) > 0
      if (isRequested && withFirst) await definitions.bringUpInside(tx, (await loadFirstOrg(tx))!)
    })
  try {
    // The others are not given a deployment that the first org refuses.
    await bringUp(true)
  } catch (error) {
    if (!isNodeFailure(error)) throw error
    warn(
      'The database server of the first org cannot be reached. The org is brought up to date when it is back; commands that manage orgs wait for it.',
    )
    await bringUp(false)
  }
  await setFaults(db, config)
  return undefined
}

/**
 * Opens the engine, migrates it and starts listening.
 * @param opening the engine to use instead of the configured one; it is closed at the end
 * @param group the processes that this one serves together with
 * @throws Error with a message for the operator
 */
export async function start(
  config: Config,
  clock: Clock = systemClock,
  opening?: Engine | Promise<Engine>,
  group?: ServerGroup,
): Promise<Objectry> {
  const log = openLog(config.logLevel, group !== undefined)
  const report = (message: string) => observeInto(log)({ kind: 'notice', message })
  const isOpening = opening ?? openEngine(config, report)
  // The engine opens in its own thread meanwhile.
  currentMark()
  const engine = await isOpening
  let added: Loaded = {}
  let services: Services | undefined
  let bins: RecycleBins | undefined
  let watchdog: Watchdog | undefined
  let upgrades: UpgradeWorker | undefined
  let statistics: TableStatistics | undefined
  /** @param deadline on the clock of `performance.now` */
  const close = (deadline: number, listeners?: Promise<unknown>) =>
    closePieces(
      [
        { name: 'listeners', close: () => listeners },
        { name: 'upgrades', close: () => upgrades?.close() },
        { name: 'statistics', close: () => statistics?.close() },
        { name: 'event triggers', close: () => services?.eventTriggers.close() },
        { name: 'events', close: () => services?.feed.close() },
        { name: 'recycle bins', close: () => bins?.close() },
        { name: 'bulk jobs', close: () => services?.bulkWork.close() },
        { name: 'deployments', close: () => services?.deployWork.close() },
        { name: 'job queue', close: () => services?.queue.close() },
        // If the database is gone, closing the rest of these fails and their unwritten data is lost.
        { name: 'quota store', close: () => services?.quotaStore.close() },
        { name: 'login history', close: () => services?.logins.writeDown() },
        { name: 'recently viewed records', close: () => services?.recent.writeDown() },
        { name: 'search index requests', close: () => services?.searchIndexes.settle() },
        { name: 'call log', close: () => services?.callLog.store() },
        { name: 'slow queries', close: () => services?.slowQueries.store() },
        { name: 'journal', close: () => services?.journal?.flush() },
        { name: 'deployed code', close: () => added.code?.close() },
        { name: 'database', close: () => engine.close() },
        { name: 'watchdog', close: () => watchdog?.close() },
      ],
      deadline,
      report,
    )
  try {
    added = await loadAdded(config, observeInto(log))
    const secrets = openSecretBox(config)
    const isPrepared = group?.isPrepared ?? false
    const warn = (message: string) => log.warn(message)
    const definitions = new CommonDefinitions(engine.db)
    const first = isPrepared ? undefined : await prepare(engine, config, clock, secrets, definitions, warn)
    if (!isPrepared && added.triggers !== undefined) {
      const orgs = (await loadOrgs(engine.db)).slice(0, MAX_CHECKED_ORGS)
      const lines = await findMissingObjects(engine.db, orgs, added.triggers)
      for (const line of lines) warn(line)
    }
    const assembly = assemble(engine, config, clock, secrets, added, log, group)
    const { server, site } = assembly
    services = assembly.services
    await added.code?.followBy(makeBackgroundWork(services))
    if (added.code !== undefined) await warmUp(services, site)
    const address = await server.listen({ host: config.host, port: config.port })
    const siteAddress = await listenAsSite(site, config)
    if (!isPrepared) for (const warning of unsafeSettings(config)) warn(warning)
    const fallSilent = await announce(assembly)
    bins = new RecycleBins({ ...services, historyDays: config.historyDays })
    bins.begin()
    services.bulkWork.begin()
    services.deployWork.begin()
    services.feed.begin()
    services.eventTriggers.begin()
    upgrades = makeUpgradeWorker(services, engine)
    upgrades.begin()
    services.searchIndexes.onRequested = () => upgrades?.wake()
    statistics = new TableStatistics({ ...services, openMaintenance: () => engine.openMaintenance() })
    statistics.begin()
    const stop = async (): Promise<StopOutcome> => {
      assembly.beginDraining()
      await sleep(config.drainSeconds * 1000)
      fallSilent()
      // Streams of events would not end by themselves.
      await assembly.services.feed.close()
      const milliseconds = config.stopSeconds * 1000
      const deadline = performance.now() + milliseconds
      const closing = Math.min(MAX_CLOSING_MS, milliseconds / 4)
      const listeners = Promise.all([server.close(), site.close()])
      // It is awaited later; a rejection before that must not end the process.
      listeners.catch(() => {})
      const areFinished = await finishRequests({
        connections: assembly.connections,
        running: assembly.services.running,
        cancelAt: deadline - closing,
        closeAt: deadline - closing / 2,
      })
      const areClosed = await close(deadline, listeners)
      return areFinished && areClosed ? 'finished' : 'cancelled'
    }
    let stopping: Promise<StopOutcome> | undefined
    return {
      engine,
      address,
      siteAddress,
      firstApp: first?.firstApp,
      firstUser: first?.firstUser,
      async issueToken() {
        const token = await issueToken(assembly.services)
        if (token === undefined) throw new Error('The first org has no active administrator')
        return token
      },
      report,
      watchEventLoop() {
        const { logLevel, blockedExitSeconds: exitSeconds } = config
        const { observe } = assembly.services
        watchdog ??= new Watchdog({ logLevel, exitSeconds, observe, findRequest: currentRequest })
      },
      outliveStrays: () => outliveStrays(assembly.services.observe),
      stop: () => (stopping ??= stop()),
    }
  } catch (error) {
    // A failed engine may fail to close too, which must not hide the original error.
    await close(performance.now() + config.stopSeconds * 1000).catch(() => {})
    const folder = engine.kind === 'pglite' ? databaseFolder(config.data) : undefined
    throw folder === undefined ? error : explainEngineError(error, folder)
  }
}
