import { readFileSync } from 'node:fs'
import { checkFaultRoute } from '../admin/check-fault-route.ts'
import { createApp } from '../auth/apps/create-app.ts'
import { makeFirstApp } from '../auth/apps/first-app.ts'
import type { SecretBox } from '../auth/keys/secret-box.ts'
import { makeClientId, makeClientSecret } from '../auth/oauth/token-text.ts'
import { hashPassword } from '../auth/users/password-hash.ts'
import { findPasswordProblem, makePassword } from '../auth/users/password-rules.ts'
import { storePassword } from '../auth/users/passwords.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/setting-values.ts'
import { SETTINGS } from '../config/settings.ts'
import { hasDefinitions } from '../definitions/files/has-definitions.ts'
import { putFault } from '../faults/set-faults.ts'
import { provisionOrg } from '../orgs/provision-org.ts'
import { loadOutdatedOrgs, upgradeOrg } from '../orgs/upgrade-org.ts'
import { followDeployment } from '../orgs/upgrades/follow-deployment.ts'
import { deploySchema } from '../schema/change/deploy.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { loadOrgs } from '../storage/orgs/orgs.ts'
import { RecordIds } from '../storage/orgs/record-ids.ts'

/** Client id and secret of the first connected app; shown once, at the first start. */
export interface FirstApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** The first user; shown once, at the first start. */
export interface FirstUser {
  readonly username: string
  readonly password: string
}

/** Creations of the first start. */
export interface FirstOrg {
  readonly firstApp: FirstApp
  readonly firstUser: FirstUser
}

function makeFirstUser({ adminUsername, adminPassword }: Config): FirstUser {
  const password = adminPassword ?? makePassword()
  const problem = findPasswordProblem(password, adminUsername)
  if (problem !== undefined) throw new ConfigError(`${SETTINGS.adminPassword.variable}: ${problem}`)
  return { username: adminUsername, password }
}

/** Creates the first org and its connected app if there is none. Servers that start at the same time do it in turn. */
export async function provisionFirstOrg(
  db: Db,
  config: Config,
  clock: Clock,
  secrets: SecretBox,
): Promise<FirstOrg | undefined> {
  if ((await loadOrgs(db)).length > 0) return undefined
  const firstApp = {
    clientId: config.clientId ?? makeClientId(),
    clientSecret: config.clientSecret ?? makeClientSecret(),
  }
  const firstUser = makeFirstUser(config)
  // Hashing takes as long as what the database does meanwhile.
  const hashing = hashPassword(firstUser.password)
  hashing.catch(() => {})
  const { org, userId } = await provisionOrg(db, 'Objectry', firstUser, clock())
  await storePassword(db, org, userId, { hash: await hashing, mustChange: false }, clock)
  const app = { ...firstApp, ...makeFirstApp(userId) }
  await createApp(db, secrets, org, app, { userId, now: clock(), ids: new RecordIds(org, db) })
  return { firstApp, firstUser }
}

/** Upgrades orgs of earlier versions, each separately, so that none is locked while others are upgraded. */
export async function upgradeOrgs(db: Db): Promise<void> {
  for (const org of await loadOutdatedOrgs(db)) await upgradeOrg(db, org)
}

/**
 * Applies the deployment's definitions to orgs. What the definitions do not name is kept, so a start loses no data.
 * @throws ApiError if that would break or lose data of records
 */
export async function applyDefinitions(db: Db, { deployment }: Config, orgs: readonly Org[]): Promise<void> {
  if (deployment === undefined || !hasDefinitions(deployment)) return
  const { loadDefinitions } = await import('../definitions/files/load-definitions.ts')
  const { chooseNamed } = await import('../definitions/files/read-definitions.ts')
  const { planRecords } = await import('../definitions/plan-records.ts')
  const { objects, files } = loadDefinitions(deployment)
  const named = chooseNamed(files, objects)
  const further = planRecords(files)
  for (const org of orgs)
    await deploySchema(db, org, { objects: named, mode: 'keep', afterwards: followDeployment, further })
}

/**
 * Sets the fault plans of the configured file for the first org.
 * @throws Error with file, line and column of each problem
 */
export async function setFaults(db: Db, { faults: file }: Config): Promise<void> {
  if (file === undefined) return
  const { readFaultFile } = await import('../faults/read-fault-file.ts')
  const [org] = await loadOrgs(db)
  for (const [name, plan] of readFaultFile(readFileSync(file, 'utf8'), file)) {
    checkFaultRoute(plan)
    await putFault(db, org!, name, plan)
  }
}
