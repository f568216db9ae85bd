import type { Sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { purgedBefore } from './bin-time.ts'
import { purgeSql } from './purge.sql.ts'

/** Records of one statement, which is a transaction of its own: nobody waits long for what it locks. */
const BATCH = 1000

/** What keeps the records of one object until a later run, and is no reason to leave others. */
const LEFT: ReadonlySet<string | undefined> = new Set(['missing reference', 'locked', 'outdated'])

/** Where records are purged, and until when somebody wants it. */
interface Purge {
  readonly db: Db
  readonly org: Org
  readonly schema: SchemaSnapshot
  /** By the org's clock. */
  readonly now: Date
  /** Asked before each statement. */
  readonly isStopped: () => boolean
}

/** Repeats a statement about a batch until it finds less than one. */
async function inBatches({ db, isStopped }: Purge, statement: Sql): Promise<number> {
  let total = 0
  for (let count = BATCH; count === BATCH && !isStopped(); total += count) {
    const [row] = await db.query<{ count: number }>(statement)
    count = row!.count
  }
  return total
}

/** What went for good, and what did not although it could. */
export interface Purged {
  readonly purged: number
  /** Objects whose records stay until a later run, each with the reason. */
  readonly failures: readonly string[]
}

/**
 * Deletes what nothing points to. An object whose records the database keeps all the same, as one that is being changed by
 * a deployment, is left out from then on: the others still go.
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
      count += await inBatches(purge, purgeSql.purge(purge.org, object, purge.schema, before, BATCH))
    } catch (error) {
      if (!LEFT.has(databaseFault(error)?.kind)) throw error
      failures.push(`${object.name}: ${(error as Error).message}`)
      objects.delete(object)
    }
  }
  return count
}

/** A reference that a record cannot be without stays: the record may still come back with what it is a part of. */
async function untieRound(purge: Purge, objects: ReadonlySet<ObjectType>, before: number): Promise<number> {
  let count = 0
  for (const object of objects) {
    for (const field of object.fields) {
      if (field.system || field.column === undefined || !field.nillable) continue
      const targets = [...objects].filter(({ name }) => field.referenceTo.includes(name))
      if (targets.length === 0) continue
      const statement = purgeSql.untie(purge.org, object, field, targets, before, BATCH)
      count += await inBatches(purge, statement)
    }
  }
  return count
}

/**
 * Deletes the records of an org for good whose time in the recycle bin is over. In rounds: first what nothing points to,
 * then what only that pointed to. What is left points to each other, which is ended, or something younger points to it: it
 * waits for a later run. Objects that clients may not delete from are no exception, because their records go with others;
 * users never go.
 */
export async function purgeOrg(purge: Purge): Promise<Purged> {
  const { db, org, schema, now } = purge
  const before = purgedBefore(now)
  const all = schema.objects.filter(({ name }) => name !== 'User')
  const rows = await db.query<{ name: string }>(purgeSql.objectsWith(org, all, before))
  const names = new Set(rows.map(({ name }) => name))
  const objects = new Set(all.filter(({ name }) => names.has(name)))
  const failures: string[] = []
  let purged = 0
  for (;;) {
    const count = await purgeRound(purge, objects, before, failures)
    purged += count
    if (count === 0 && (await untieRound(purge, objects, before)) === 0) return { purged, failures }
  }
}
