import type { Caller } from '../../access/callers.ts'
import { findSecretBox } from '../../auth/secret-key.ts'
import { findAdministrator } from '../../auth/users.ts'
import { makeApiVersion } from '../../base/api-version.ts'
import { systemClock } from '../../base/clock.ts'
import type { Observe } from '../../base/observation.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Call } from '../../calls/call.ts'
import type { OrgRuntime } from '../../calls/org-runtimes.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { loadTriggers } from '../../deployment/triggers/load-triggers.ts'
import { makeContext } from '../../http/make-context.ts'
import type { House } from '../../http/visit.ts'
import { makeHouse } from '../../main.ts'
import type { Db } from '../../storage/db.ts'
import { isMigrated } from '../../storage/migrate.ts'
import { hasDatabase, openEngine } from '../../storage/open-engine.ts'
import type { Org } from '../../storage/org.ts'
import { loadOrgs } from '../../storage/orgs.ts'
import { messageOf } from '../message-of.ts'
import { type Reach, type ReachedOrg, SETUP_PREFIX, VERSION_PREFIX } from './reached-org.ts'

/** The reply tells an id only; here, where nobody keeps a log, the person at the terminal sees what is behind it. */
const tellFailures: Observe = (observation) => {
  if (observation.kind !== 'failure') return
  const { errorId, error } = observation
  process.stderr.write(`${errorId}: ${error instanceof Error ? error.message : error}\n`)
}

function noOrgYet({ databaseUrl, data }: Config): Error {
  if (databaseUrl !== undefined) {
    return new Error(
      'There is no org in this database yet. Start Objectry on it first: npm start, with the same DATABASE_URL',
    )
  }
  const command = data === '.objectry' ? 'npm start' : `npm start -- --data ${data}`
  return new Error(`There is no org in ${data} yet. Start Objectry on it first: ${command}`)
}

async function orgOf(db: Db, config: Config, named: string | undefined): Promise<Org> {
  const orgs = (await isMigrated(db)) ? await loadOrgs(db) : []
  const [first] = orgs
  if (first === undefined) throw noOrgYet(config)
  if (named === undefined) return first
  const isNamed = ({ id, name }: Org) =>
    id === canonicalRecordId(named) || name.toLowerCase() === named.toLowerCase()
  const found = orgs.find(isNamed)
  if (found !== undefined) return found
  throw new Error(`There is no org ${named}. There are ${orgs.map(({ name }) => name).join(', ')}`)
}

async function administratorOf(db: Db, { org, callers }: OrgRuntime): Promise<Caller> {
  const user = await findAdministrator(db, org)
  const caller = user && (await callers.of(user.id))
  if (caller === undefined) throw new Error(`The org ${org.name} has no active administrator.`)
  return caller
}

async function contextIn(house: House, runtime: OrgRuntime, caller: Caller): Promise<Context> {
  const { config } = house
  return makeContext(house, runtime, {
    schema: await runtime.snapshots.current(),
    principal: caller.principal,
    access: caller.access,
    version: makeApiVersion(config.versions.at(-1)!),
    origin: config.publicUrl ?? `http://${config.host}:${config.port}`,
  })
}

function callOf(method: string, path: string, body: unknown): Call {
  const { pathname, searchParams: query } = new URL(path, 'http://objectry')
  return {
    method,
    path: pathname.replace(VERSION_PREFIX, '').replace(SETUP_PREFIX, ''),
    query,
    headers: {},
    body,
    locate: () => ({ line: 1, column: 1 }),
  }
}

/**
 * Opens the engine in this process, without a door. It makes no org and brings nothing up to date: that is for a
 * server's start.
 * @throws Error with a message for the person at the terminal
 */
export async function openOrgInProcess(config: Config, { org: named, writes }: Reach): Promise<ReachedOrg> {
  if (config.databaseUrl === undefined && !hasDatabase(config.data)) throw noOrgYet(config)
  const engine = await openEngine(config).catch((error) => {
    if (config.databaseUrl === undefined) throw error
    throw new Error(`The database cannot be opened: ${messageOf(error)}`, { cause: error })
  })
  try {
    const { db } = engine
    const org = await orgOf(db, config, named)
    const triggers =
      writes && config.deployment !== undefined ? await loadTriggers(config.deployment) : undefined
    const secrets = await findSecretBox(db, config)
    const house = makeHouse(engine, config, systemClock, tellFailures, secrets, triggers)
    const runtime = house.runtimes.of(org)
    const caller = await administratorOf(db, runtime)
    return {
      async call(method, path, body) {
        const dispatch = SETUP_PREFIX.test(path) ? house.dispatchSetup : house.dispatch
        return dispatch(await contextIn(house, runtime, caller), callOf(method, path, body))
      },
      close: () => engine.close(),
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
