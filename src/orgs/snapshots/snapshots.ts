import { isDeepStrictEqual } from 'node:util'
import { PLATFORM_CLI, SOAP_CLIENT_ID } from '../../auth/oauth/connected-app.ts'
import { endLeftAccess } from '../../auth/tokens/end-access.ts'
import { ApiError } from '../../base/api-error.ts'
import { holdExit } from '../../base/exit-hold.ts'
import type { Sql } from '../../base/sql.ts'
import { removeAllJobs } from '../../bulk/jobs/job-store.ts'
import { deployInside } from '../../schema/change/deploy.ts'
import { retryOnLockTimeout } from '../../schema/change/retry-on-lock-timeout.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { bumpAccess } from '../../schema/snapshot/bump-access.ts'
import { loadDefinitions, loadVersion } from '../../schema/snapshot/load-snapshot.ts'
import { makeSnapshot } from '../../schema/snapshot/snapshot.ts'
import { openUsedQueue, queuePending, type Requeuing } from '../../scripting/work/queue-pending.ts'
import type { Db } from '../../storage/database/db.ts'
import { loadPlacement } from '../../storage/orgs/cluster.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { orgSql } from '../../storage/orgs/orgs.sql.ts'
import { eventLogSql } from '../../streaming/event-log.sql.ts'
import { snapshotSql } from '../stored-values/snapshot.sql.ts'
import { loadUpgradeMark, type UpgradeMark, upgradeAgain } from '../upgrade-org.ts'
import { holdSteps } from '../upgrades/step-store.ts'
import { type Counter, loadCounters, setCounters } from './counters.ts'

/** A saved state of an org that can be restored. */
export interface OrgSnapshot {
  readonly name: string
  /** Total number of records. */
  readonly records: number
}

interface StoredSnapshot extends OrgSnapshot {
  readonly number: number
  readonly definitions: readonly ObjectDefinition[]
  readonly counters: readonly Counter[]
  /** `place`: the database that the versions of its rows are of; absent in snapshots of version 0.1. */
  readonly upgraded: UpgradeMark & { readonly place?: string }
}

const NAME = /^[A-Za-z0-9_-]{1,40}$/

function checkName(name: string): void {
  if (NAME.test(name)) return
  throw new ApiError('INVALID_INPUT', 'A snapshot name has 1 to 40 letters, digits, _ and -')
}

/** The schema of a snapshot. */
const makeSchema = (definitions: readonly ObjectDefinition[]) => makeSnapshot(0, new Date(0), definitions)

async function findSnapshot(db: Db, org: Org, name: string): Promise<StoredSnapshot> {
  const [kept] = await db.query<StoredSnapshot>(snapshotSql.find(org, name))
  if (kept !== undefined) return kept
  const names = (await listSnapshots(db, org)).map((one) => one.name)
  const there = names.length === 0 ? 'There is none yet' : `There are ${names.join(', ')}`
  throw new ApiError('NOT_FOUND', `There is no snapshot ${name}. ${there}`)
}

export interface ListedSnapshot extends OrgSnapshot {
  /** Seconds since 1970. */
  readonly createdAt: number
}

/** Identifies what gives the rows of an org their versions. */
async function loadPlace(db: Db, org: Org): Promise<string> {
  const [row] = await db.query<{ place: string }>(snapshotSql.place)
  const placement = await loadPlacement(db, org)
  return placement === undefined ? row!.place : `${row!.place}/${placement}`
}

/** The snapshots of an org, the oldest first. */
export async function listSnapshots(db: Db, org: Org): Promise<ListedSnapshot[]> {
  const rows = await db.query<ListedSnapshot>(snapshotSql.list(org))
  return rows.map(({ name, records, createdAt }) => ({ name, records, createdAt }))
}

async function remove(db: Db, org: Org, { number, definitions }: StoredSnapshot): Promise<void> {
  await db.script(snapshotSql.dropTables(org, number, makeSchema(definitions).storedObjects))
  await db.query(snapshotSql.delete(org, number))
}

export async function deleteSnapshot(db: Db, org: Org, name: string): Promise<void> {
  checkName(name)
  await db.transaction(async (tx) => remove(tx, org, await findSnapshot(tx, org, name)))
}

/** Saves the current records and schema of the org. Replaces a snapshot of the same name, and blocks no writes. */
export async function saveSnapshot(db: Db, org: Org, name: string): Promise<OrgSnapshot> {
  checkName(name)
  return db.transaction(async (tx) => {
    await tx.script(snapshotSql.repeatableRead)
    const [old] = await tx.query<StoredSnapshot>(snapshotSql.find(org, name))
    if (old !== undefined) await remove(tx, org, old)
    const [next] = await tx.query<{ number: number }>(snapshotSql.nextNumber(org))
    const { number } = next!
    const definitions = await loadDefinitions(tx, org)
    const { storedObjects: objects } = makeSchema(definitions)
    await tx.script(snapshotSql.copyTables(org, number, objects))
    const [counted] = await tx.query<{ records: number }>(snapshotSql.countRecords(org, number, objects))
    const { records } = counted!
    await tx.query(
      snapshotSql.insert(org, {
        number,
        name,
        records,
        definitions: JSON.stringify(definitions),
        counters: JSON.stringify(await loadCounters(tx, org)),
        upgraded: JSON.stringify({ ...(await loadUpgradeMark(tx, org)), place: await loadPlace(tx, org) }),
      }),
    )
    return { name, records }
  })
}

/**
 * Restores the schema of a snapshot if the org has another one. Deletes the records of objects that change before: all of them come from
 * the snapshot, and none may be in the way.
 */
async function restoreSchema(tx: Db, org: Org, definitions: readonly ObjectDefinition[]): Promise<void> {
  const byName = (all: readonly ObjectDefinition[]) => new Map(all.map((one) => [one.name, one]))
  if (isDeepStrictEqual(byName(await loadDefinitions(tx, org)), byName(definitions))) return
  const change = { objects: definitions, mode: 'restore', allowDestructive: true } as const
  const { schema, steps } = await deployInside(tx, org, { ...change, isUpgrade: true, planOnly: true })
  const names = new Set(steps.map(({ object }) => object))
  const changed = schema.storedObjects.filter(({ name }) => names.has(name))
  if (changed.length > 0) await tx.query(snapshotSql.lockTables(org, changed))
  await tx.script(changed.map((object) => snapshotSql.deleteRows(org, object, undefined)))
  await deployInside(tx, org, change)
}

/** Result of a restore. */
export interface Restored extends OrgSnapshot {
  readonly schemaVersion: number
  /** Usernames of users who were deactivated since the snapshot, and are active again; absent when there are none. */
  readonly reactivatedUsers?: readonly string[]
  /** Names of apps that were blocked or deleted since the snapshot, and work again; absent when there are none. */
  readonly unblockedApps?: readonly string[]
}

/** Finds who may come in again with a snapshot. Before the schema is restored, which may not know of blocks. */
async function findLetIn(
  tx: Db,
  org: Org,
  { number, definitions }: StoredSnapshot,
): Promise<Pick<Restored, 'reactivatedUsers' | 'unblockedApps'>> {
  const schema = makeSchema(definitions)
  const [users, apps] = [schema.object('User'), schema.object('ConnectedApplication')]
  const listed = [users, apps].filter((object) => object !== undefined)
  await tx.query(snapshotSql.lockTables(org, listed))
  const namesOf = async (statement: Sql) =>
    (await tx.query<{ name: string }>(statement)).map(({ name }) => name)
  const reactivatedUsers = users && (await namesOf(snapshotSql.deactivatedUsers(org, number, users)))
  const unblockedApps = apps && (await namesOf(snapshotSql.blockedApps(org, number, apps)))
  return {
    ...(reactivatedUsers?.length && { reactivatedUsers }),
    ...(unblockedApps?.length && { unblockedApps }),
  }
}

/**
 * Ends the tokens and sessions of apps and users that a restore removed, blocked or deactivated.
 * @param apps undefined: the snapshot is from a version without apps
 */
async function endAccessOfGone(tx: Db, org: Org, apps: ObjectType | undefined): Promise<void> {
  const working = apps && (await tx.query<{ clientId: string }>(snapshotSql.workingClients(org, apps)))
  const own = (working ?? []).map(({ clientId }) => clientId)
  await endLeftAccess(tx, org, [PLATFORM_CLI.clientId, SOAP_CLIENT_ID, ...own])
}

/**
 * Restores the schema, records and counters of a snapshot, queues the background work that was pending in it, and removes
 * all bulk jobs. Writes only what has changed since.
 * @returns also whose deactivation or block was undone by it
 */
export async function restoreSnapshot(
  db: Db,
  requeuing: Requeuing,
  org: Org,
  name: string,
): Promise<Restored> {
  checkName(name)
  const restore = async (tx: Db): Promise<Restored> => {
    const snapshot = await findSnapshot(tx, org, name)
    const { number, definitions, counters, upgraded, records } = snapshot
    await removeAllJobs(tx, org)
    await holdSteps(tx, org)
    const letIn = await findLetIn(tx, org, snapshot)
    await restoreSchema(tx, org, definitions)
    const { storedObjects: objects } = makeSchema(definitions)
    await tx.query(snapshotSql.lockTables(org, objects))
    const place = await loadPlace(tx, org)
    if (upgraded.place !== place) {
      await tx.script(snapshotSql.forgetVersions(org, number, objects))
      await tx.query(snapshotSql.setPlace(org, number, place))
    }
    const changed = await tx.query<{ name: string }>(snapshotSql.changedTables(org, number, objects))
    const names = new Set(changed.map((one) => one.name))
    const toRestore = objects.filter(({ table }) => names.has(table))
    const rows = toRestore.flatMap((object) => snapshotSql.restoreRows(org, number, object))
    if (rows.length > 0) await tx.script(rows)
    await endAccessOfGone(tx, org, makeSchema(definitions).object('ConnectedApplication'))
    await queuePending(tx, requeuing, org)
    await setCounters(tx, org, counters)
    await upgradeAgain(tx, org, upgraded)
    const forgetting = [orgSql.forgetMetadataJobs(org), orgSql.beginEpoch(org), ...eventLogSql.reset(org)]
    for (const statement of forgetting) await tx.query(statement)
    await bumpAccess(tx, org)
    const { version } = await loadVersion(tx, org)
    return { name, records, schemaVersion: version, ...letIn }
  }
  return holdExit(async () => {
    await openUsedQueue(requeuing)
    return retryOnLockTimeout(db, restore)
  })
}
