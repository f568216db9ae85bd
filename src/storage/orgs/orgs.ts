import { makeRecordId } from '../../base/record-id.ts'
import type { Db } from '../database/db.ts'
import type { Org } from './org.ts'
import { orgSql } from './orgs.sql.ts'

/**
 * Makes an org with an empty schema; call it in a transaction with what fills it.
 * @param host name of the host under which it is reached
 */
export async function createOrg(db: Db, name: string, host?: string): Promise<Org> {
  const [row] = await db.query<{ number: number }>(orgSql.nextNumber)
  const { number } = row!
  const org: Org = { id: makeRecordId('00D', number), schemaName: `org_${number}`, name }
  await db.query(orgSql.insert(org, host))
  await db.script([orgSql.createSchema(org), orgSql.createIdSequence(org)])
  return org
}

export async function findOrg(db: Db, id: string): Promise<Org | undefined> {
  const [org] = await db.query<Org>(orgSql.find(id))
  return org
}

/** The org of a name, whatever its case. */
export async function findOrgByName(db: Db, name: string): Promise<Org | undefined> {
  const [org] = await db.query<Org>(orgSql.findByName(name))
  return org
}

/** All orgs, the oldest first. */
export function loadOrgs(db: Db): Promise<Org[]> {
  return db.query<Org>(orgSql.all)
}

/** An org, and when its recycle bin was emptied last: in seconds since 1970 by its clock; null: never. */
export interface OrgBin extends Org {
  readonly emptiedAt: number | null
}

/** The recycle bins of all orgs, that of the oldest first. */
export function loadBins(db: Db): Promise<OrgBin[]> {
  return db.query<OrgBin>(orgSql.bins)
}

/**
 * Takes the emptying of a bin on.
 * @returns false: somebody else was faster
 */
export async function claimBin(db: Db, { id, emptiedAt }: OrgBin, now: Date): Promise<boolean> {
  const claimed = await db.query(orgSql.claimBin(id, emptiedAt, Math.floor(now.getTime() / 1000)))
  return claimed.length > 0
}

/** How often the org was emptied or put back to a snapshot: what was known of its records before may be wrong now. */
export async function loadEpoch(db: Db, org: Org): Promise<number> {
  const [row] = await db.query<{ epoch: number }>(orgSql.epoch(org))
  return row!.epoch
}

/** Removes an org with everything that it holds. */
export async function dropOrg(db: Db, org: Org): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(orgSql.delete(org))
    await tx.script([orgSql.dropSchema(org)])
  })
}
