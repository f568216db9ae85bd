import { createHash } from 'node:crypto'
import { ddl } from '../schema/change/ddl.sql.ts'
import { deployInside } from '../schema/change/deploy.ts'
import { retryOnLockTimeout } from '../schema/change/retry-on-lock-timeout.ts'
import { makeVector } from '../schema/change/search-words.sql.ts'
import { makeSnapshot } from '../schema/snapshot/snapshot.ts'
import { STANDARD_OBJECTS } from '../standard/standard-objects.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import { orgSql } from '../storage/orgs/orgs.sql.ts'
import { upgradeStandard } from './upgrade-standard.ts'
import {
  type DoneSteps,
  loadDoneSteps,
  noteStepsDone,
  requestMissingSteps,
  requestSteps,
} from './upgrades/step-store.ts'
import { UPGRADE_STEPS } from './upgrades/upgrade-steps.ts'

/** Increase this number when the code of an upgrade changes. */
const UPGRADE = 15

/**
 * A hash of everything that this version upgrades: standard objects, search indexes, and background steps.
 */
function makeMark(): string {
  const hash = createHash('sha256').update(`${UPGRADE}${JSON.stringify(STANDARD_OBJECTS)}`)
  const { objects } = makeSnapshot(0, new Date(0), STANDARD_OBJECTS)
  for (const object of objects) hash.update(makeVector(object, undefined)?.text ?? '')
  for (const { name, version } of UPGRADE_STEPS) hash.update(`${name} ${version}`)
  return hash.digest('hex')
}

let mark: string | undefined

/** The hash of this version. It takes some time, and stays the same. */
export const currentMark = (): string => {
  mark ??= makeMark()
  return mark
}

/** Marks a new org as up to date. */
export async function markUpToDate(db: Db, org: Org): Promise<void> {
  await db.query(orgSql.markUpToDate(org, currentMark()))
  await noteStepsDone(db, org)
}

/** The version an org is up to date with and its completed steps. A snapshot stores it. */
export interface UpgradeMark {
  readonly mark: string | null
  readonly steps: DoneSteps
}

export async function loadUpgradeMark(db: Db, org: Org): Promise<UpgradeMark> {
  const [known] = await db.query<{ mark: string | null }>(orgSql.upToDateWith(org))
  return { mark: known?.mark ?? null, steps: await loadDoneSteps(db, org) }
}

/**
 * Upgrades an org whose state was restored from a snapshot or copied from another org.
 * @param had the upgrade mark of that state
 */
export async function upgradeAgain(db: Db, org: Org, { mark: had, steps }: UpgradeMark): Promise<void> {
  await requestMissingSteps(db, org, steps)
  await db.query(orgSql.markUpToDate(org, had))
  await upgradeOrg(db, org)
}

/** The same inside an open transaction, without retries. */
export async function upgradeInside(tx: Db, org: Org): Promise<void> {
  const [known] = await tx.query<{ mark: string | null }>(orgSql.lockMark(org))
  if (known === undefined || known.mark === currentMark()) return
  await tx.query(ddl.dropViews(org))
  await deployInside(tx, org, { objects: upgradeStandard, mode: 'keep', isUpgrade: true })
  await requestSteps(tx, org)
  await tx.query(orgSql.markUpToDate(org, currentMark()))
}

/**
 * Adds the standard objects and fields that this version has more than the org, in one short transaction, before a server can serve
 * the org. Work that scans all records belongs to the background steps.
 */
export const upgradeOrg = (db: Db, org: Org): Promise<void> =>
  retryOnLockTimeout(db, (tx) => upgradeInside(tx, org))
