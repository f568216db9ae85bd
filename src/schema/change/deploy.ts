import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'
import { syncParts } from '../definitions/sync-parts.ts'
import { listViewRecords } from '../list-views/list-views.ts'
import { recordTypeRecords } from '../record-types/record-types.ts'
import { withIdentities } from '../snapshot/identities.ts'
import { loadDefinitions, loadVersion, type SchemaVersion } from '../snapshot/load-snapshot.ts'
import { metadataSql } from '../snapshot/metadata.sql.ts'
import { makeSnapshot, type SchemaSnapshot } from '../snapshot/snapshot.ts'
import { examineSql } from './examine.sql.ts'
import { examineStep, type Finding } from './examine.ts'
import { type ChangeMode, mergeDefinitions } from './merge-definitions.ts'
import { planChange } from './plan-change.ts'
import { retryOnLockTimeout } from './retry-on-lock-timeout.ts'
import { createSearchIndexes, dropSearchIndexes } from './search-indexes.ts'
import { withShares } from './share-objects.ts'
import { PHASES, type Phase, type Step } from './step.ts'

export interface SchemaChange {
  readonly objects: readonly ObjectDefinition[]
  /** Default `extend`. */
  readonly mode?: ChangeMode
  /** Steps that lose what records hold are carried out too. */
  readonly allowDestructive?: boolean
  /** Nothing is changed: only the plan is made. */
  readonly planOnly?: boolean
  /** Indexes and checks of keys that would take time are left to the steps of an upgrade. */
  readonly isQuick?: boolean
  /** What belongs to the change, in its transaction; not carried out for a plan. */
  readonly afterwards?: (tx: Db, org: Org, deployed: Deployed) => Promise<void>
}

/** A step with what it would do to the records that are there. */
export interface PlannedStep extends Pick<Step, 'object' | 'field' | 'what'>, Finding {
  readonly kind: Step['kind']
}

export interface Deployed {
  /** As it is now. */
  readonly schema: SchemaSnapshot
  readonly steps: readonly PlannedStep[]
}

const findLocation = ({ object, field }: PlannedStep) => (field === undefined ? object : `${object}.${field}`)

const records = (count: number) => (count === 1 ? '1 record' : `${count} records`)

/** Why the steps cannot be carried out; undefined: they can. */
function refusalOf(steps: readonly PlannedStep[], allowDestructive: boolean): ApiError | undefined {
  const errors = steps.flatMap((step) => {
    const fields = step.field === undefined ? [] : [step.field]
    const obstacles = step.obstacles.map(({ rows, ids, message }) => {
      const more = rows > ids.length ? ', ...' : ''
      const said = `${findLocation(step)}: ${records(rows)} ${message} (${ids.join(', ')}${more})`
      return new ApiError('DEPLOYMENT_REFUSED', said, { fields })
    })
    const isDestructive = step.kind === 'destroy' || step.loses > 0
    if (!isDestructive || allowDestructive) return obstacles
    const said = `${findLocation(step)}: ${step.what}; ${records(step.loses)} would lose something. Destructive steps have to be allowed`
    return [...obstacles, new ApiError('DEPLOYMENT_REFUSED', said, { fields })]
  })
  return errors.length === 0 ? undefined : ApiError.all(errors)
}

/** Looks at the records that the steps are about, while nobody changes them. */
async function examine(
  db: Db,
  org: Org,
  steps: readonly Step[],
  before: SchemaSnapshot,
): Promise<PlannedStep[]> {
  const planned: PlannedStep[] = []
  const held = new Set<string>()
  for (const step of steps) {
    const { kind, object, field, what } = step
    const known = before.object(object)
    const looks = step.examinations.length > 0 || step.values !== undefined
    if (looks && known !== undefined && !held.has(object)) {
      held.add(object)
      await db.query(examineSql.lockTables(org, known))
    }
    const finding = await examineStep(db, org, step)
    planned.push({ kind, object, ...(field && { field }), what, ...finding })
  }
  return planned
}

/** Phases in which no column changes that an index could be on. */
const ADDING: readonly Phase[] = ['create', 'create indexes', 'create keys']

async function carryOut(
  db: Db,
  org: Org,
  steps: readonly Step[],
  after: SchemaSnapshot,
  isQuick: boolean,
): Promise<void> {
  const all = steps.flatMap(({ statements }) => statements)
  // Servers of the old version go on using the indexes of the old texts until there are new ones.
  const keepsOld = isQuick && all.every(({ phase }) => ADDING.includes(phase))
  // What an upgrade has left for other objects the background builds, while others write.
  const names = new Set(steps.map(({ object }) => object))
  const changed = after.objects.filter(({ name }) => names.has(name))
  if (!keepsOld) await dropSearchIndexes(db, org, after, changed)
  const inOrder = PHASES.flatMap((phase) =>
    all.filter((one) => one.phase === phase).flatMap((one) => (isQuick && one.quick) || [one.sql]),
  )
  if (inOrder.length > 0) await db.script(inOrder)
  if (!isQuick) await createSearchIndexes(db, org, changed)
}

const sameDefinition = (a: ObjectDefinition, b: ObjectDefinition) => JSON.stringify(a) === JSON.stringify(b)

async function saveDefinitions(
  db: Db,
  org: Org,
  before: readonly ObjectDefinition[],
  after: readonly ObjectDefinition[],
): Promise<void> {
  const names = new Set(after.map(({ name }) => name))
  for (const { name } of before) if (!names.has(name)) await db.query(metadataSql.remove(org, name))
  for (const definition of after) {
    const known = before.find(({ name }) => name === definition.name)
    if (known !== undefined && sameDefinition(known, definition)) continue
    await db.query(metadataSql.save(org, definition.name, JSON.stringify(definition)))
  }
}

/**
 * The same inside a transaction that is under way: it does not try again.
 * @throws ApiError DEPLOYMENT_REFUSED
 */
export async function deployInside(tx: Db, org: Org, change: SchemaChange): Promise<Deployed> {
  const { version, changedAt } = await lockVersion(tx, org)
  const known = await loadDefinitions(tx, org)
  const before = makeSnapshot(version, changedAt, known)
  const ids = new RecordIds(org, tx)
  // As they will come back from the database: without what is undefined.
  const given: ObjectDefinition[] = JSON.parse(JSON.stringify(change.objects))
  const merged = withShares(mergeDefinitions(known, given, change.mode ?? 'extend'), known)
  const wanted = await withIdentities(merged, known, (keyPrefix) => ids.make(keyPrefix, tx))
  const proposed = makeSnapshot(version, changedAt, wanted)
  const steps = planChange(org, before, proposed)
  if (steps.length === 0) return { schema: before, steps: [] }
  const planned = await examine(tx, org, steps, before)
  if (change.planOnly) return { schema: before, steps: planned }
  const refused = refusalOf(planned, change.allowDestructive === true)
  if (refused !== undefined) throw refused
  const [bumped] = await tx.query<SchemaVersion>(metadataSql.bumpVersion(org))
  const after = makeSnapshot(bumped!.version, new Date(bumped!.changedAt * 1000), wanted)
  await carryOut(tx, org, steps, after, change.isQuick === true)
  await saveDefinitions(tx, org, known, wanted)
  await syncParts(tx, known, wanted, recordTypeRecords(org))
  await syncParts(tx, known, wanted, listViewRecords(org))
  const deployed = { schema: after, steps: planned }
  await change.afterwards?.(tx, org, deployed)
  return deployed
}

async function lockVersion(tx: Db, org: Org) {
  await tx.query(metadataSql.lock(org))
  const { version, changedAt } = await loadVersion(tx, org)
  return { version, changedAt: new Date(changedAt * 1000) }
}

/**
 * Changes an org's schema: tables, records' values, metadata and version in one transaction. Changes of one org take
 * turns, and give way to the calls under way: they try again until the tables are free for a moment. Deploying what is
 * there already changes nothing and keeps the version.
 * @throws ApiError DEPLOYMENT_REFUSED with an item for everything that stands in the way; nothing was changed
 */
export const deploySchema = (db: Db, org: Org, change: SchemaChange): Promise<Deployed> =>
  retryOnLockTimeout(db, (tx) => deployInside(tx, org, change))
