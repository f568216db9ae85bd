import { canonicalRecordId, makeRecordId } from '../../base/record-id.ts'
import type { Db } from '../database/db.ts'
import { placeSchema } from './cluster.ts'
import type { Org } from './org.ts'
import { orgSql } from './orgs.sql.ts'

/** Creates the schema of an org; in a cluster, on one of its nodes. */
export async function createOrgSchema(db: Db, org: Org): Promise<void> {
  await db.script([orgSql.createSchema(org)])
  await placeSchema(db, org)
  await db.script([orgSql.createIdSequence(org)])
}

/**
 * Makes the prepared schema of an image that of an org.
 * @returns false if there is none
 */
export async function takePreparedSchema(db: Db, org: Org): Promise<boolean> {
  const [row] = await db.query<{ isPrepared: boolean }>(orgSql.isPrepared)
  if (row!.isPrepared) await db.script([orgSql.takePrepared(org)])
  return row!.isPrepared
}

/**
 * Creates an org without its schema. Call it in a transaction that also creates the schema.
 * @param host name of the host at which it is reached
 */
export async function createOrg(db: Db, name: string, host?: string): Promise<Org> {
  const [row] = await db.query<{ number: number }>(orgSql.nextNumber)
  const { number } = row!
  const org: Org = { id: makeRecordId('00D', number), schemaName: `org_${number}`, name }
  await db.query(orgSql.insert(org, host))
  return org
}

export async function findOrg(db: Db, id: string): Promise<Org | undefined> {
  const [org] = await db.query<Org>(orgSql.find(id))
  return org
}

/** Finds an org by name, ignoring case. */
export async function findOrgByName(db: Db, name: string): Promise<Org | undefined> {
  const [org] = await db.query<Org>(orgSql.findByName(name))
  return org
}

/** Finds an org by its id, of 15 or 18 characters, or by its name. */
export async function findNamedOrg(db: Db, named: string): Promise<Org | undefined> {
  if (named.includes('\0')) return undefined
  const id = canonicalRecordId(named)
  return (id && (await findOrg(db, id))) || findOrgByName(db, named)
}

/** All orgs, the oldest first. */
export function loadOrgs(db: Db): Promise<Org[]> {
  return db.query<Org>(orgSql.all)
}

/** The oldest org, whose administrators manage all orgs; undefined if there is none yet. */
export async function loadFirstOrg(db: Db): Promise<Org | undefined> {
  const [org] = await db.query<Org>(orgSql.first)
  return org
}

/** An org and its recycle bin. Times are in seconds since 1970 by its clock. */
export interface OrgBin extends Org {
  /** When it was last emptied; null: never. */
  readonly emptiedAt: number | null
  /** When the next record in it expires; null: unknown. */
  readonly dueAt: number | null
}

/** The recycle bins of all orgs, oldest org first. */
export function loadBins(db: Db): Promise<OrgBin[]> {
  return db.query<OrgBin>(orgSql.bins)
}

/**
 * Claims the emptying of a recycle bin.
 * @returns false if another server was faster
 */
export async function claimBin(db: Db, { id, emptiedAt }: OrgBin, now: Date): Promise<boolean> {
  const claimed = await db.query(orgSql.claimBin(id, emptiedAt, Math.floor(now.getTime() / 1000)))
  return claimed.length > 0
}

/**
 * Notes when a bin is due again, unless the org was put back since.
 * @param epoch of the org when its bin was emptied
 */
export async function setBinDue(db: Db, org: Org, epoch: number, dueAt: number): Promise<void> {
  await db.query(orgSql.setBinDue(org.id, epoch, dueAt))
}

/** Number of times that the org was emptied or restored to a snapshot, which invalidates caches of its records. */
export async function loadEpoch(db: Db, org: Org): Promise<number> {
  const [row] = await db.query<{ epoch: number }>(orgSql.epoch(org))
  return row!.epoch
}

/** Deletes an org and all its data. */
export async function dropOrg(db: Db, org: Org): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(orgSql.delete(org))
    // Waits for writes that are under way, which may log events.
    await tx.script([orgSql.dropSchema(org)])
    await tx.query(orgSql.deleteEvents(org))
  })
}
