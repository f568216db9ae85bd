import type { Context } from '../../context.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { purgedBefore } from './bin-time.ts'
import { purgeSql } from './purge.sql.ts'

/** Records per transaction, so that its locks are short. */
const BATCH_SIZE = 1000

/** Failures that leave the records of one object to a later run, and do not stop the purge of others. */
const SKIPPED: ReadonlySet<string | undefined> = new Set(['locked', 'outdated'])

/** One purge of an org. */
interface Purge {
  readonly db: Db
  readonly org: Org
  readonly schema: SchemaSnapshot
  /** Those that may have records. */
  readonly objects: readonly ObjectType[]
  /** By the org's clock. */
  readonly now: Date
  /** Checked before each statement. */
  readonly isStopped: () => boolean
}

/** Repeats a batch until one affects less than a full batch. */
async function inBatches({ isStopped }: Purge, run: () => Promise<number>): Promise<number> {
  let total = 0
  for (let count = BATCH_SIZE; count === BATCH_SIZE && !isStopped(); total += count) count = await run()
  return total
}

/** Thrown when a deployment has changed what may refer to the records. */
class SchemaChanged extends Error {
  constructor() {
    super('the schema has been changed meanwhile')
  }
}

/**
 * Deletes one batch of an object's records. Nothing that may refer to a record is written meanwhile: the record is locked,
 * and the schema, which says what refers to it, is held.
 */
function purgeBatch({ db, org, schema }: Purge, object: ObjectType, before: number): Promise<number> {
  return db.transaction(async (tx) => {
    const [held] = await tx.query<{ version: number }>(metadataSql.hold(org))
    if (held?.version !== schema.version) throw new SchemaChanged()
    const rows = await tx.query<{ id: string }>(purgeSql.hold(org, object, schema, before, BATCH_SIZE))
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    return (await tx.query(purgeSql.purge(org, object, schema, before, ids))).length
  })
}

/** The number of purged records, and the objects that could not be purged. */
export interface Purged {
  readonly purged: number
  /** Objects whose records are left to a later run, each with the reason. */
  readonly failures: readonly string[]
}

/**
 * Deletes records that nothing refers to. An object that fails, for example because a deployment changes it, is skipped
 * from then on.
 */
async function purgeRound(
  purge: Purge,
  objects: Set<ObjectType>,
  before: number,
  failures: string[],
): Promise<number> {
  let count = 0
  for (const object of objects) {
    try {
      count += await inBatches(purge, () => purgeBatch(purge, object, before))
    } catch (error) {
      if (error instanceof SchemaChanged) {
        failures.push(error.message)
        objects.clear()
        break
      }
      if (!SKIPPED.has(databaseFault(error)?.kind)) throw error
      failures.push(`${object.name}: ${(error as Error).message}`)
      objects.delete(object)
    }
  }
  return count
}

/** Clears references between expired records. Required ones stay: the record may still be restored with its parent. */
async function clearReferencesRound(
  purge: Purge,
  objects: ReadonlySet<ObjectType>,
  before: number,
): Promise<number> {
  let count = 0
  for (const object of objects) {
    for (const field of object.fields) {
      if (field.system || field.column === undefined || !field.nillable) continue
      const targets = [...objects].filter(({ name }) => field.referenceTo.includes(name))
      if (targets.length === 0) continue
      const statement = purgeSql.clearReference(purge.org, object, field, targets, before, BATCH_SIZE)
      count += await inBatches(purge, async () => {
        const [row] = await purge.db.query<{ count: number }>(statement)
        return row!.count
      })
    }
  }
  return count
}

/**
 * Permanently deletes what histories have of more than so many days ago.
 * @returns how many records
 */
export async function purgeHistories(purge: Purge, days: number): Promise<number> {
  const before = purge.now.getTime() / 1000 - days * 86_400
  let purged = 0
  for (const object of purge.objects) {
    if (object.definition.historyOf === undefined) continue
    const statement = purgeSql.oldHistory(purge.org, object, before, BATCH_SIZE)
    purged += await inBatches(purge, async () => (await purge.db.query(statement)).length)
  }
  return purged
}

/** True if system fields refer to its records: the authors of all records, who are kept as long as any of those. */
const isAuthor = ({ children }: ObjectType): boolean => children.some(({ field }) => field.system)

const listPurged = ({ objects }: Purge) => objects.filter((object) => !isAuthor(object))

/** When the next record of the bin expires, or a record that is deleted now: in seconds since 1970, by the org's clock. */
export async function findNextExpiry(purge: Purge): Promise<number> {
  const { db, org, now } = purge
  const [row] = await db.query<{ oldest: number | null }>(purgeSql.oldest(org, listPurged(purge)))
  const time = now.getTime() / 1000
  return Math.min(row!.oldest ?? time, time) + time - purgedBefore(now)
}

/**
 * Permanently deletes an org's expired records from the recycle bin, in rounds: first the records that nothing refers
 * to, then those that only the former referred to. References among the rest are cleared; a record that a younger one
 * refers to is left to a later run. Includes objects whose records clients may not delete, because those can be deleted
 * by cascade. Users are never purged.
 */
export async function purgeOrg(purge: Purge): Promise<Purged> {
  const { db, org, now } = purge
  const before = purgedBefore(now)
  const all = listPurged(purge)
  const rows = await db.query<{ name: string }>(purgeSql.objectsWith(org, all, before))
  const names = new Set(rows.map(({ name }) => name))
  const objects = new Set(all.filter(({ name }) => names.has(name)))
  const failures: string[] = []
  let purged = 0
  for (;;) {
    const count = await purgeRound(purge, objects, before, failures)
    purged += count
    if (count === 0 && (await clearReferencesRound(purge, objects, before)) === 0) return { purged, failures }
  }
}

/**
 * Permanently deletes records that the transaction of `ctx` has just deleted. Those that other records refer to, such as
 * details that were deleted with them, stay in the recycle bin until it is purged.
 */
export async function purgeRecords(
  { db, org, schema }: Context,
  object: ObjectType,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const [held] = await db.query<{ version: number }>(metadataSql.hold(org))
  if (held?.version !== schema.version) throw new SchemaChanged()
  await db.query(purgeSql.purge(org, schema.object(object.name)!, schema, Number.POSITIVE_INFINITY, ids))
}
