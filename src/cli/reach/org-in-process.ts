import { findSecretBox } from '../../auth/keys/secret-key.ts'
import { findAdministrator } from '../../auth/users/users.ts'
import { loadTriggers } from '../../automation/triggers/load-triggers.ts'
import { systemClock } from '../../base/clock.ts'
import { Json } from '../../base/json.ts'
import type { Observe } from '../../base/observation.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Call } from '../../calls/call.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { CodeStore } from '../../customrest/code-store.ts'
import { jobNames } from '../../customrest/deployed-code.ts'
import { makeServices, makeUpgradeWorker, type Services } from '../../server/assemble.ts'
import type { Db } from '../../storage/database/db.ts'
import { isMigrated } from '../../storage/migrate.ts'
import { hasDatabase, openEngine } from '../../storage/open-engine.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { loadOrgs } from '../../storage/orgs/orgs.ts'
import { explainError } from '../command/explain-error.ts'
import type { Terminal } from '../command/terminal.ts'
import { type Reach, type ReachedOrg, SETUP_PREFIX, VERSION_PREFIX } from './reached-org.ts'

/** The reply tells an id only; here, where nobody keeps a log, the person at the terminal sees what is behind it. */
const reportFailures =
  ({ stderr }: Terminal): Observe =>
  (observation) => {
    if (observation.kind !== 'failure') return
    const { errorId, error } = observation
    stderr.write(`${errorId}: ${error instanceof Error ? error.message : error}\n`)
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

async function findOrg(db: Db, config: Config, named: string | undefined): Promise<Org> {
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

/** The context of the org's administrator. */
async function makeContext({ db, contexts }: Pick<Services, 'db' | 'contexts'>, org: Org): Promise<Context> {
  const user = await findAdministrator(db, org)
  const ctx = user && (await contexts.makeForUser(org, { userId: user.id }))
  if (ctx === undefined) throw new Error(`The org ${org.name} has no active administrator.`)
  return { ...ctx, hasNumbers: true }
}

function makeCall(method: string, path: string, body: unknown): Call {
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
 * Loads the deployment's code, for commands that need it, as a server does.
 * @throws Error when nobody says where they are
 */
function codeLoader(
  { deployment, handlerMemory: megabytes }: Config,
  observe: Observe,
): () => Promise<CodeStore> {
  if (deployment === undefined) {
    throw new Error(
      'Which deployment? What its code offers stands in its folder: name it with OBJECTRY_DEPLOYMENT, as for the server',
    )
  }
  return () => CodeStore.open(deployment, { threads: 1, megabytes, watch: false, observe })
}

/**
 * Opens the engine in this process, without a listener. It makes no org and brings nothing up to date: that is for a
 * server's start.
 * @throws Error with a message for the person at the terminal
 */
export async function openOrgInProcess(
  terminal: Terminal,
  config: Config,
  { org: named, writes, code: wantsCode, background }: Reach,
): Promise<ReachedOrg> {
  if (config.databaseUrl === undefined && !hasDatabase(config.data)) throw noOrgYet(config)
  const observe = reportFailures(terminal)
  const loadCode = wantsCode ? codeLoader(config, observe) : undefined
  const engine = await openEngine(config).catch((error) => {
    if (config.databaseUrl === undefined) throw error
    throw new Error(`The database cannot be opened: ${explainError(error)}`, { cause: error })
  })
  let code: CodeStore | undefined
  try {
    const { db } = engine
    const org = await findOrg(db, config, named)
    code = await loadCode?.().catch((error) => {
      if (wantsCode === 'if it loads') return undefined
      throw error
    })
    const deployment = writes ? config.deployment : undefined
    const triggers = deployment === undefined ? undefined : await loadTriggers(deployment)
    const jobs: ReadonlySet<string> = deployment === undefined ? new Set() : jobNames(deployment)
    const secrets = await findSecretBox(db, config)
    const services = makeServices(engine, config, systemClock, observe, secrets, {
      triggers,
      code,
      hasJob: (name) => jobs.has(name) || code?.current?.jobs.named(name) !== undefined,
    })
    const upgrades = background ? makeUpgradeWorker(services, engine) : undefined
    upgrades?.begin()
    await makeContext(services, org)
    if (jobs.size > 0) await services.queue.open()
    return {
      address: config.publicUrl ?? `http://127.0.0.1:${config.port}`,
      async call(method, path, body) {
        const dispatch = SETUP_PREFIX.test(path) ? services.dispatchAdmin : services.dispatch
        const reply = await dispatch(await makeContext(services, org), makeCall(method, path, body))
        return reply.body instanceof Json ? { ...reply, body: JSON.parse(reply.body.text) } : reply
      },
      async close() {
        await upgrades?.close()
        await services.queue.close()
        await code?.close()
        await engine.close()
      },
    }
  } catch (error) {
    await code?.close()
    await engine.close()
    throw error
  }
}
