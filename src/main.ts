import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createApp } from './auth/apps/create-app.ts'
import { firstAppOf } from './auth/apps/first-app.ts'
import { AttemptCounter } from './auth/attempt-counter.ts'
import { makePassword, passwordProblem } from './auth/password-rules.ts'
import { setPassword } from './auth/passwords.ts'
import type { SecretBox } from './auth/secret-box.ts'
import { checkSecretKey, openSecretBox } from './auth/secret-key.ts'
import { Sessions } from './auth/sessions.ts'
import { makeClientId, makeClientSecret } from './auth/token-text.ts'
import { findAdministrator } from './auth/users.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Observe } from './base/observation.ts'
import { makeDispatch } from './calls/dispatch.ts'
import { OrgRuntimes } from './calls/org-runtimes.ts'
import { Router } from './calls/router.ts'
import { type Config, ConfigError, SETTINGS } from './config.ts'
import type { Triggers } from './context.ts'
import { hasDefinitions } from './deployment/definitions/has-definitions.ts'
import { provisionOrg } from './deployment/provision-org.ts'
import { loadTriggers } from './deployment/triggers/load-triggers.ts'
import { NO_TRIGGERS } from './deployment/triggers/make-triggers.ts'
import { upgradeOrg } from './deployment/upgrade-org.ts'
import { makeServer } from './http/server.ts'
import type { House } from './http/visit.ts'
import { logRequests, observeInto, openLog } from './log.ts'
import { ROUTES } from './resources/routes.ts'
import { setupRoutes } from './resources/setup/setup-routes.ts'
import { deploySchema } from './schema/deploy.ts'
import type { Db, Engine } from './storage/db.ts'
import { migrate } from './storage/migrate.ts'
import { openEngine } from './storage/open-engine.ts'
import type { Org } from './storage/org.ts'
import { OrgHosts } from './storage/org-hosts.ts'
import { loadOrgs } from './storage/orgs.ts'
import { RecordIds } from './storage/record-ids.ts'
import { announceServer } from './storage/running-server.ts'

/** Client id and secret of the first connected app; told once, at the first start. */
export interface FirstApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** Who logs in first; told once, at the first start. */
export interface FirstUser {
  readonly username: string
  readonly password: string
}

/** What the first start makes. */
interface FirstOrg {
  readonly firstApp: FirstApp
  readonly firstUser: FirstUser
}

/** How many wrong passwords an address may send, and how many wrong codes of devices a user. */
const LOG_IN_LIMITS = { most: 30, seconds: 60 }
const USER_CODE_LIMITS = { most: 10, seconds: 600 }

/** How often a server that stops closes the connections that have become idle, in milliseconds. */
const HANG_UP = 50

/** A running Objectry. */
export interface Objectry {
  readonly engine: Engine
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly address: string
  /** Only at the first start on this database. */
  readonly firstApp: FirstApp | undefined
  readonly firstUser: FirstUser | undefined
  /** A token of the first org's administrator that works as long as this process. */
  issueToken(): Promise<string>
  /** Finishes the calls under way, then closes everything. */
  stop(): Promise<void>
}

function firstUserOf({ adminUsername, adminPassword }: Config): FirstUser {
  const password = adminPassword ?? makePassword()
  const problem = passwordProblem(password, adminUsername)
  if (problem !== undefined) throw new ConfigError(`${SETTINGS.adminPassword.variable}: ${problem}`)
  return { username: adminUsername, password }
}

/** Makes the first org and its connected app where there is none yet. Servers that start at once take turns. */
async function provisionFirstOrg(
  db: Db,
  config: Config,
  clock: Clock,
  secrets: SecretBox,
): Promise<FirstOrg | undefined> {
  const orgs = await loadOrgs(db)
  for (const org of orgs) await upgradeOrg(db, org, clock())
  if (orgs.length > 0) return undefined
  const firstApp = {
    clientId: config.clientId ?? makeClientId(),
    clientSecret: config.clientSecret ?? makeClientSecret(),
  }
  const firstUser = firstUserOf(config)
  const { org, userId } = await provisionOrg(db, 'Objectry', firstUser, clock())
  await setPassword(db, org, userId, firstUser.password, clock)
  const app = { ...firstApp, ...firstAppOf(userId) }
  await createApp(db, secrets, org, app, { userId, now: clock(), ids: new RecordIds(org, db) })
  return { firstApp, firstUser }
}

/**
 * Brings orgs to the definitions of the deployment. What they do not name stays: a start loses nothing.
 * @throws ApiError when that would break or lose what records hold
 */
async function applyDefinitions(db: Db, { deployment }: Config, orgs: readonly Org[]): Promise<void> {
  if (deployment === undefined || !hasDefinitions(deployment)) return
  const { loadDefinitions } = await import('./deployment/definitions/load-definitions.ts')
  const { objects } = loadDefinitions(deployment)
  for (const org of orgs) await deploySchema(db, org, { objects, mode: 'keep' })
}

/** What answers calls on an open engine, whatever door they come through. */
export function makeHouse(
  { db }: Engine,
  config: Config,
  clock: Clock,
  observe: Observe,
  secrets: SecretBox,
  triggers: Triggers = NO_TRIGGERS,
): House {
  const runtimes = new OrgRuntimes(db)
  const sessions = new Sessions(db, clock, config.sessionSeconds)
  const hosts = new OrgHosts(db)
  const setup = setupRoutes({
    runtimes,
    sessions,
    secrets,
    hosts,
    adminUsername: config.adminUsername,
    applyDefinitions: (tx, org) => applyDefinitions(tx, config, [org]),
  })
  return {
    config,
    db,
    clock,
    observe,
    sessions,
    secrets,
    hosts,
    runtimes,
    dispatch: makeDispatch(new Router(ROUTES)),
    dispatchSetup: makeDispatch(new Router(setup)),
    triggers,
    attempts: {
      logIn: new AttemptCounter(LOG_IN_LIMITS),
      userCode: new AttemptCounter(USER_CODE_LIMITS),
    },
  }
}

/** All rooms put together, not yet listening. */
export interface Assembly {
  readonly house: House
  readonly server: FastifyInstance
}

/** Puts the rooms together on an open engine; the only place that knows all of them. */
export function assemble(
  engine: Engine,
  config: Config,
  clock: Clock,
  secrets: SecretBox,
  triggers?: Triggers,
): Assembly {
  const log = openLog(config.logLevel)
  const house = makeHouse(engine, config, clock, observeInto(log), secrets, triggers)
  const server = makeServer(house)
  logRequests(server, log)
  return { house, server }
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
  try {
    const triggers = config.deployment === undefined ? undefined : await loadTriggers(config.deployment)
    const { db } = engine
    const secrets = openSecretBox(config)
    const first = await db.transaction(async (tx) => {
      await migrate(tx)
      await checkSecretKey(tx, secrets, config)
      const made = await provisionFirstOrg(tx, config, clock, secrets)
      await applyDefinitions(tx, config, await loadOrgs(tx))
      return made
    })
    const assembly = assemble(engine, config, clock, secrets, triggers)
    const { server } = assembly
    const address = await server.listen({ host: config.host, port: config.port })
    const fallSilent = await announce(assembly)
    return {
      engine,
      address,
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
        const hangUp = setInterval(() => server.server.closeIdleConnections(), HANG_UP)
        await server.close()
        clearInterval(hangUp)
        await engine.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
