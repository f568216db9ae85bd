import { ApiError } from '../../base/api-error.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { findLine } from '../../formulas/language/formula-error.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { orgSql } from '../../storage/orgs/orgs.sql.ts'
import { RecordIds } from '../../storage/orgs/record-ids.ts'
import type { ListView, ObjectDefinition, RecordType } from '../definitions/definition.ts'
import { type PartRecords, syncParts } from '../definitions/sync-parts.ts'
import { findFormulaProblems } from '../formulas/find-problems.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { recordTypeSql } from '../record-types/record-types.sql.ts'
import { withIdentities } from '../snapshot/identities.ts'
import { loadObjects, loadVersion, type SchemaVersion } from '../snapshot/load-snapshot.ts'
import { metadataSql } from '../snapshot/metadata.sql.ts'
import {
  buildSnapshot,
  makeSnapshotInSlices,
  requireObject,
  type SchemaSnapshot,
} from '../snapshot/snapshot.ts'
import { ddl } from './ddl.sql.ts'
import { examineSql } from './examine.sql.ts'
import { examineStep, type Finding } from './examine.ts'
import { withHistories } from './history-objects.ts'
import { checkLocks } from './locks.ts'
import { type ChangeMode, mergeDefinitions } from './merge-definitions.ts'
import { listViewSql } from './metadata-records.sql.ts'
import { noteTables } from './note-tables.ts'
import { addObject, changeObject, dropObject } from './plan-object.ts'
import { retryOnLockTimeout } from './retry-on-lock-timeout.ts'
import { dropSearchIndexes } from './search-indexes.ts'
import { withShares } from './share-objects.ts'
import { inPhases, makesObject, type Phase, type Step } from './step.ts'

/** Definitions, or what makes them of those that the org has. */
type Definitions =
  | readonly ObjectDefinition[]
  | ((known: readonly ObjectDefinition[]) => readonly ObjectDefinition[])

export interface SchemaChange {
  readonly objects: Definitions
  /** Default `extend`. */
  readonly mode?: ChangeMode
  /** Carry out steps that lose data: all of them, or those of which this is true. */
  readonly allowDestructive?: boolean | ((step: PlannedStep) => boolean)
  /** Only plan; change nothing. */
  readonly planOnly?: boolean
  /** An upgrade: its changes are those of the platform, so no record is in their way, and slow index builds are left to its steps. */
  readonly isUpgrade?: boolean
  /** True for new objects whose tables are made when a statement names them. Default: none. */
  readonly isOnFirstUse?: (object: ObjectType) => boolean
  /** Runs in the transaction of the change; not called for a plan. */
  readonly afterwards?: (tx: Db, org: Org, deployed: Deployed) => Promise<void>
  /** Plans what else is deployed in the same transaction, for the schema that there is afterwards. */
  readonly further?: (tx: Db, org: Org, schema: SchemaSnapshot, planOnly: boolean) => Promise<FurtherChange>
}

/** A change of records that belongs to a change of the schema, and is carried out after it. */
interface FurtherChange {
  readonly steps: readonly PlannedStep[]
  readonly carryOut: () => Promise<void>
}

/** A step with its effect on existing records. */
export interface PlannedStep extends Pick<Step, 'object' | 'field' | 'what'>, Finding {
  readonly kind: Step['kind']
  /** The name of the record, where the step changes one: `object` is its object. */
  readonly record?: string
}

export interface Deployed {
  /** The current schema. */
  readonly schema: SchemaSnapshot
  /** The schema that the steps lead to, also those of a plan. */
  readonly planned: SchemaSnapshot
  readonly steps: readonly PlannedStep[]
  /** True if search indexes are to be built. */
  readonly lacksSearchIndexes?: boolean
}

const findLocation = ({ object, field, record }: PlannedStep) =>
  field !== undefined ? `${object}.${field}` : record !== undefined ? `${object} ${record}` : object

const records = (count: number) => (count === 1 ? '1 record' : `${count} records`)

/** The error if the steps cannot be carried out. */
function findRefusal(
  steps: readonly PlannedStep[],
  isAllowed: (step: PlannedStep) => boolean,
): ApiError | undefined {
  const errors = steps.flatMap((step) => {
    const fields = step.field === undefined ? [] : [step.field]
    const obstacles = step.obstacles.map(({ rows, ids, message }) => {
      const more = rows > ids.length ? ', ...' : ''
      const said = `${findLocation(step)}: ${records(rows)} ${message} (${ids.join(', ')}${more})`
      return new ApiError('DEPLOYMENT_REFUSED', said, { fields })
    })
    const isDestructive = step.kind === 'destroy' || step.loses > 0
    if (!isDestructive || isAllowed(step)) return obstacles
    const said = `${findLocation(step)}: ${step.what}; ${records(step.loses)} would lose something. Destructive steps have to be allowed`
    return [...obstacles, new ApiError('DEPLOYMENT_REFUSED', said, { fields })]
  })
  return errors.length === 0 ? undefined : ApiError.all(errors)
}

/**
 * Compiles the formulas of a schema, an object at a time: what they refer to may be gone, or of another type.
 * @throws ApiError DEPLOYMENT_REFUSED
 */
function* checkFormulas({ objects }: SchemaSnapshot): Generator<void, void> {
  const errors: ApiError[] = []
  for (const object of objects) {
    for (const { path, error, text } of findFormulaProblems(object)) {
      const [, name, ...property] = path
      const { line, column } = findLine(text, error.at)
      const position = text === '' ? '' : `:${line}:${column}`
      const said = `${object.name}.${name}: ${property.join('.')}${position}: ${error.message}`
      errors.push(new ApiError('DEPLOYMENT_REFUSED', said, { fields: [name] }))
    }
    yield
  }
  if (errors.length > 0) throw ApiError.all(errors)
}

/** The steps that turn one schema into the other, an object at a time. */
function* planChange(org: Org, before: SchemaSnapshot, after: SchemaSnapshot): Generator<void, Step[]> {
  const steps: Step[] = []
  for (const object of after.objects) {
    if (before.object(object.name) === undefined) steps.push(addObject(org, object, after))
    yield
  }
  for (const object of after.objects) {
    const known = before.object(object.name)
    if (known === undefined) continue
    steps.push(
      ...changeObject({ org, before: known, after: object, schemaBefore: before, schemaAfter: after }),
    )
    yield
  }
  for (const object of before.objects) {
    if (after.object(object.name) === undefined) steps.push(dropObject(org, object, before))
    yield
  }
  return steps
}

const describeStep = ({ kind, object, field, what }: Step): PlannedStep => ({
  kind,
  object,
  ...(field && { field }),
  what,
  loses: 0,
  obstacles: [],
})

/** Examines the records that the steps affect, locked against changes. */
async function examine(
  db: Db,
  org: Org,
  steps: readonly Step[],
  before: SchemaSnapshot,
): Promise<PlannedStep[]> {
  const planned: PlannedStep[] = []
  const held = new Set<string>()
  for (const step of steps) {
    const { object } = step
    const known = before.object(object)
    const looks = step.examinations.length > 0 || step.values !== undefined
    if (looks && known !== undefined && !held.has(object)) {
      held.add(object)
      await db.query(examineSql.lockWrites(org, known))
    }
    const finding = await examineStep(db, org, step)
    planned.push({ ...describeStep(step), ...finding })
  }
  return planned
}

/** Phases that do not change a column that an index could be on. */
const ADDING: readonly Phase[] = ['create', 'create indexes']

/** Maximum number of statements that are sent together. */
const SCRIPT_STATEMENTS = 500

/** @returns true if search indexes are to be built */
async function carryOut(
  db: Db,
  org: Org,
  steps: readonly Step[],
  { before, after, isUpgrade }: { before: SchemaSnapshot; after: SchemaSnapshot; isUpgrade: boolean },
): Promise<boolean> {
  const all = steps.flatMap(({ statements }) => statements)
  // During an upgrade, servers of the old version keep using the old search indexes until the new ones are built.
  const keepsOld = isUpgrade && all.every(({ phase }) => ADDING.includes(phase))
  // Indexes of other objects that an upgrade has postponed are built in the background.
  const names = new Set(steps.map(({ object }) => object))
  const changed = after.objects.filter(({ name }) => names.has(name))
  const added = new Set(steps.filter(makesObject).map(({ object }) => object))
  const known = changed.filter(({ name, definition }) => !added.has(name) && definition.view === undefined)
  // What is to be dropped has to be there.
  if (known.length > 0) await db.script(known.map((object) => ddl.makeTable(org, object)))
  const lacksSearchIndexes = !keepsOld && (await dropSearchIndexes(db, org, before, known))
  const inOrder = inPhases(all).flatMap((one) => (isUpgrade && one.quick) || [one.sql])
  // The server bounds the time of scripts only.
  for (let at = 0; at < inOrder.length; at += SCRIPT_STATEMENTS) {
    await db.script(inOrder.slice(at, at + SCRIPT_STATEMENTS))
  }
  return lacksSearchIndexes
}

/** The definitions in JSON that are new or have changed, by name. */
function* findChanged(before: readonly ObjectDefinition[], after: readonly ObjectDefinition[]) {
  const known = new Map(before.map((definition) => [definition.name, definition]))
  const changed: [name: string, definition: string][] = []
  for (const definition of after) {
    const text = JSON.stringify(definition)
    if (JSON.stringify(known.get(definition.name)) !== text) changed.push([definition.name, text])
    yield
  }
  return changed
}

/** Definitions in the form in which they are stored: without undefined properties. */
function* copyDefinitions(given: readonly ObjectDefinition[]): Generator<void, ObjectDefinition[]> {
  const copied: ObjectDefinition[] = []
  for (const definition of given) {
    copied.push(JSON.parse(JSON.stringify(definition)))
    yield
  }
  return copied
}

/** Maximum number of definitions in a statement. */
const SAVED_TOGETHER = 100

async function saveDefinitions(
  db: Db,
  org: Org,
  before: readonly ObjectDefinition[],
  after: readonly ObjectDefinition[],
): Promise<void> {
  const names = new Set(after.map(({ name }) => name))
  for (const { name } of before) if (!names.has(name)) await db.query(metadataSql.remove(org, name))
  const changed = await runInSlices(() => findChanged(before, after))
  for (let at = 0; at < changed.length; at += SAVED_TOGETHER) {
    await db.query(metadataSql.save(org, changed.slice(at, at + SAVED_TOGETHER)))
  }
}

const recordTypeRecords = (org: Org): PartRecords<RecordType> => ({
  of: ({ recordTypes = [] }) => recordTypes,
  save: (object, type) => recordTypeSql.save(org, object, type),
  remove: (ids) => recordTypeSql.remove(org, ids),
})

const listViewRecords = (org: Org): PartRecords<ListView> => ({
  of: ({ listViews = [] }) => listViews,
  save: (object, view) => listViewSql.save(org, object, view),
  remove: (ids) => listViewSql.remove(org, ids),
})

/**
 * The same inside an open transaction, without retries.
 * @throws ApiError DEPLOYMENT_REFUSED
 */
export async function deployInside(tx: Db, org: Org, change: SchemaChange): Promise<Deployed> {
  const { version, changedAt } = await lockVersion(tx, org)
  const { definitions: known, objects } = await loadObjects(tx, org)
  const before = buildSnapshot(version, changedAt, objects)
  const ids = new RecordIds(org, tx)
  const wished = typeof change.objects === 'function' ? change.objects(known) : change.objects
  const given = await runInSlices(() => copyDefinitions(wished))
  const shared = withShares(mergeDefinitions(known, given, change.mode ?? 'extend'), known)
  const merged = withHistories(shared, known)
  const wanted = await withIdentities(merged, known, (keyPrefix) => ids.make(keyPrefix, tx))
  const proposed = await runInSlices(() => makeSnapshotInSlices(version, changedAt, wanted))
  // An upgrade keeps formulas that do not fit any more: their fields have no values then.
  if (!change.isUpgrade) await runInSlices(() => checkFormulas(proposed))
  const steps = await runInSlices(() => planChange(org, before, proposed))
  const further = await change.further?.(tx, org, proposed, change.planOnly === true)
  if (steps.length === 0 && (further?.steps ?? []).length === 0)
    return { schema: before, planned: before, steps: [] }
  const isLater = (step: Step) =>
    makesObject(step) && change.isOnFirstUse?.(requireObject(proposed, step.object)) === true
  const now = steps.filter((step) => !isLater(step))
  if (!change.planOnly) await checkLocks(tx, now)
  const examined = change.isUpgrade ? steps.map(describeStep) : await examine(tx, org, steps, before)
  const planned = [...examined, ...(further?.steps ?? [])]
  if (change.planOnly) return { schema: before, planned: proposed, steps: planned }
  const { allowDestructive = false } = change
  const isAllowed = typeof allowDestructive === 'function' ? allowDestructive : () => allowDestructive
  const refused = findRefusal(planned, change.isUpgrade === true ? () => true : isAllowed)
  if (refused !== undefined) throw refused
  if (steps.length === 0) {
    await further?.carryOut()
    return { schema: before, planned: before, steps: planned }
  }
  const [bumped] = await tx.query<SchemaVersion>(metadataSql.bumpVersion(org))
  await tx.beforeCommit(orgSql.setDeployed(org, null))
  const after = buildSnapshot(bumped!.version, new Date(bumped!.changedAt * 1000), proposed.objects)
  await noteTables(tx, org, steps.filter(isLater), after)
  const isUpgrade = change.isUpgrade === true
  const lacksSearchIndexes = now.length > 0 && (await carryOut(tx, org, now, { before, after, isUpgrade }))
  await saveDefinitions(tx, org, known, wanted)
  await syncParts(tx, known, wanted, recordTypeRecords(org))
  await syncParts(tx, known, wanted, listViewRecords(org))
  const deployed = { schema: after, planned: after, steps: planned, lacksSearchIndexes }
  await change.afterwards?.(tx, org, deployed)
  await further?.carryOut()
  return deployed
}

async function lockVersion(tx: Db, org: Org) {
  await tx.query(metadataSql.lock(org))
  const { version, changedAt } = await loadVersion(tx, org)
  return { version, changedAt: new Date(changedAt * 1000) }
}

/**
 * Changes an org's schema: tables, values, metadata and version in one transaction. Changes of one org are serialized and
 * yield to running calls: they are retried until the tables are free. A deployment without differences changes nothing
 * and keeps the version.
 * @throws ApiError DEPLOYMENT_REFUSED with an item for each obstacle; nothing was changed
 */
export const deploySchema = (db: Db, org: Org, change: SchemaChange): Promise<Deployed> =>
  retryOnLockTimeout(db, (tx) => deployInside(tx, org, change))
