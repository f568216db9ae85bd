import { noteStepsDone } from '../../src/orgs/upgrades/step-store.ts'
import type { Engine } from '../../src/storage/database/db.ts'
import type { Org } from '../../src/storage/orgs/org.ts'
import { afterFile, afterLastFile } from './after-file.ts'
import { onCitus } from './citus.ts'
import { openTemplateCopy, type TemplateCopy } from './template.ts'
import { templateOrgSql } from './template-org.sql.ts'

const serverUrl = process.env.TEST_DATABASE_URL

/** True if the suite runs on PostgreSQL, where several connections and processes may share a database. */
export const onPostgres = serverUrl !== undefined

/** Options of suites that need not run on both engines: those of processes, and of embedded engines of their own. */
export const ON_EMBEDDED = { skip: onPostgres && 'the run on the embedded engine has it' }

/** Options of suites that have triggers of the database make it slow or fail. */
export const WITH_DATABASE_TRIGGERS = {
  skip: onCitus && 'the tables of a cluster have no triggers',
}

/** A file that begins with fewer orgs left gets a database of its own. */
const ENOUGH_ORGS = 3

let copy: Promise<TemplateCopy> | undefined

async function closeCopy(): Promise<void> {
  const closing = await copy
  copy = undefined
  await closing?.engine.close()
  await closing?.drop()
}

/** The next file goes on with the same database while that has orgs enough. */
async function closeIfUsedUp(): Promise<void> {
  isUsed = false
  const opened = await copy!.catch(() => undefined)
  // The test that asked for it has failed; the next file tries again.
  if (opened === undefined) {
    copy = undefined
    return
  }
  const { engine } = opened
  const [left] = await engine.db.query<{ count: number }>(templateOrgSql.count)
  if (left!.count < ENOUGH_ORGS) await closeCopy()
}

/** True if the file that is running has asked for the database. */
let isUsed = false

function useCopy(): Promise<TemplateCopy> {
  copy ??= openTemplateCopy(serverUrl)
  if (!isUsed) {
    isUsed = true
    afterFile(closeIfUsedUp)
  }
  return copy
}

afterLastFile(closeCopy)

/** The engine of this test process: PGlite in memory, or a database on the server that TEST_DATABASE_URL names. */
export async function sharedEngine(): Promise<Engine> {
  return (await useCopy()).engine
}

/** An engine that no other file uses: the first org that is opened on it is the first one of its server, which manages the others. */
export async function ownEngine(): Promise<Engine> {
  const { engine, drop } = await openTemplateCopy(serverUrl)
  afterFile(async () => {
    await engine.close()
    await drop()
  })
  return engine
}

/** Address of the suite's own database, for tests that start a server of their own on it. */
export async function sharedDatabaseUrl(): Promise<string> {
  return (await useCopy()).url!
}

interface TakenOrg {
  readonly org: Org
  readonly userId: string
}

/**
 * An org with the standard objects and a first user, taken from the template.
 * @param time of its first records, as text
 * @returns undefined if all of them are taken
 */
export async function takeOrg({ db }: Engine, time: string, host?: string): Promise<TakenOrg | undefined> {
  return db.transaction(async (tx) => {
    const [taken] = await tx.query<Org & { userId: string }>(templateOrgSql.take(host))
    if (taken === undefined) return undefined
    const { userId, ...org } = taken
    await tx.query(templateOrgSql.giveAbsent(org))
    const tables = await tx.query<{ name: string }>(templateOrgSql.filledTables)
    for (const { name } of tables) await tx.query(templateOrgSql.setTimes(org, name, time))
    await tx.script(templateOrgSql.setChanged(org))
    // They went with the org's row when it was put aside.
    await noteStepsDone(tx, org)
    return { org, userId }
  })
}
