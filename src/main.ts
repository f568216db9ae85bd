import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Added, type Assembly, assemble, followerOf } from './assemble.ts'
import { checkSecretKey, openSecretBox } from './auth/secret-key.ts'
import { findAdministrator } from './auth/users.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Observe } from './base/observation.ts'
import type { Config } from './config.ts'
import { CodeStore } from './customrest/code-store.ts'
import { loadTriggers } from './deployment/triggers/load-triggers.ts'
import {
  applyDefinitions,
  type FirstApp,
  type FirstUser,
  provisionFirstOrg,
  setFaults,
} from './first-start.ts'
import { makeReady } from './http/make-ready.ts'
import type { House } from './http/visit.ts'
import { observeInto, openLog } from './log.ts'
import { RecycleBins } from './records/recycle-bin/recycle-bins.ts'
import { SETTINGS } from './settings.ts'
import { checkPostgres } from './storage/check-postgres.ts'
import type { Engine } from './storage/db.ts'
import { explainEngineError } from './storage/embedded-folder.ts'
import { migrate } from './storage/migrate.ts'
import { databaseFolder, openEngine } from './storage/open-engine.ts'
import { loadOrgs } from './storage/orgs.ts'
import { announceServer } from './storage/running-server.ts'

/** How often a server that stops closes the connections that have become idle, in milliseconds. */
const HANG_UP = 50

/** A running Objectry. */
export interface Objectry {
  readonly engine: Engine
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly address: string
  /** Where the public site listens; undefined: the settings open none, or its usual port is taken. */
  readonly siteAddress: string | undefined
  /** Only at the first start on this database. */
  readonly firstApp: FirstApp | undefined
  readonly firstUser: FirstUser | undefined
  /** A token of the first org's administrator that works as long as this process. */
  issueToken(): Promise<string>
  /** Finishes the calls under way, then closes everything. */
  stop(): Promise<void>
}

interface Loaded extends Added {
  readonly code?: CodeStore
}

/** The deployment's own code, ready to run. */
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
 * Opens the public site. That its usual port is taken, as by a second server on one machine, keeps nobody from his org.
 * @returns where it listens; undefined: nowhere
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

/** Where this machine itself reaches a server: one that listens on all addresses listens on the loopback too. */
function ownAddress(server: FastifyInstance): string {
  const { address, port, family } = server.server.address() as AddressInfo
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}

/** A token of the first org's administrator that nobody else knows; undefined: there is no such user. */
async function issueToken({ db, sessions }: House): Promise<string | undefined> {
  const [org] = await loadOrgs(db)
  const administrator = await findAdministrator(db, org!)
  return administrator && sessions.issueUnstored(org!, administrator.id)
}

/**
 * The embedded engine belongs to one process, so commands on this machine must ask that one: it says where it is.
 * @returns the function that takes that back
 */
async function announce({ house, server }: Assembly): Promise<() => void> {
  const { config } = house
  if (config.databaseUrl !== undefined || config.data === 'memory') return () => {}
  const token = await issueToken(house)
  return token === undefined ? () => {} : announceServer(config.data, { address: ownAddress(server), token })
}

/**
 * Opens the engine, brings it up to date and listens.
 * @param opened an engine that is open already, instead of the one that the settings name; it is closed at the end
 * @throws Error with a message for the person at the terminal
 */
export async function start(config: Config, clock: Clock = systemClock, opened?: Engine): Promise<Objectry> {
  const engine = opened ?? (await openEngine(config))
  const log = openLog(config.logLevel)
  let added: Loaded = {}
  let house: House | undefined
  let bins: RecycleBins | undefined
  const close = async () => {
    await bins?.close()
    await house?.queue.close()
    // A database that is gone takes nothing any more: what it would have been told is lost with it.
    await house?.ledger.close().catch(() => {})
    await house?.recent.writeDown()
    await house?.journal?.flush().catch(() => {})
    await added.code?.close()
    await engine.close()
  }
  try {
    added = await loadAdded(config, observeInto(log))
    const { db } = engine
    const warning = engine.kind === 'postgres' ? await checkPostgres(db) : undefined
    if (warning !== undefined) log.warn(warning)
    const secrets = openSecretBox(config)
    const first = await db.transaction(async (tx) => {
      await migrate(tx)
      await checkSecretKey(tx, secrets, config)
      const made = await provisionFirstOrg(tx, config, clock, secrets)
      await applyDefinitions(tx, config, await loadOrgs(tx))
      await setFaults(tx, config)
      return made
    })
    const assembly = assemble(engine, config, clock, secrets, added, log)
    const { server, site } = assembly
    house = assembly.house
    await added.code?.followBy(followerOf(house))
    if (added.code !== undefined) await makeReady(house, site)
    const address = await server.listen({ host: config.host, port: config.port })
    const siteAddress = await listenAsSite(site, config)
    const fallSilent = await announce(assembly)
    bins = new RecycleBins(house)
    bins.begin()
    return {
      engine,
      address,
      siteAddress,
      firstApp: first?.firstApp,
      firstUser: first?.firstUser,
      async issueToken() {
        const token = await issueToken(assembly.house)
        if (token === undefined) throw new Error('The first org has no active administrator')
        return token
      },
      async stop() {
        fallSilent()
        // A connection that was busy when the close began would be kept for its next call.
        const hangUp = setInterval(() => {
          for (const one of [server, site]) one.server.closeIdleConnections()
        }, HANG_UP)
        await Promise.all([server.close(), site.close()])
        clearInterval(hangUp)
        await close()
      },
    }
  } catch (error) {
    // An engine that failed may fail at its close too, which must not hide why.
    await close().catch(() => {})
    const folder = opened === undefined && engine.kind === 'pglite' ? databaseFolder(config.data) : undefined
    throw folder === undefined ? error : explainEngineError(error, folder)
  }
}
