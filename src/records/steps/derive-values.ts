import { ApiError } from '../../base/api-error.ts'
import { secondsText } from '../../base/clock.ts'
import type { FiscalYear } from '../../base/fiscal-year.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import { type Field, isStored, type RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import {
  type Derivation,
  DerivedRecord,
  type RelatedRecord,
} from '../../standard/behaviour/derived-record.ts'
import { findBehaviour } from '../../standard/behaviours.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { namingLocked } from '../../storage/database/fault-error.ts'
import { type PlannedRecord, planRecord, type Refusals } from '../prepare/planned-record.ts'
import { checkComputedNumbers } from '../prepare/validate.ts'
import { type HeldRecords, writeSql } from './write.sql.ts'

/** Where the records are. */
type Where = Pick<Context, 'org' | 'db' | 'schema' | 'locked'>

const TIMESTAMP = 'timestamptz'

/** A value as the database gives it, in the form in which it is written. */
export function toStored(field: Field, value: ColumnValue): ColumnValue {
  if (field.type.parameter !== TIMESTAMP || typeof value !== 'string') return value
  return `${value.slice(0, 10)}T${value.slice(11, 19)}Z`
}

const known = (object: ObjectType, names: readonly string[]): Field[] =>
  names.flatMap((name) => object.field(name) ?? [])

/** True if the platform derives values of new records. */
export const derivesNew = (object: ObjectType): boolean => findBehaviour(object)?.derivation !== undefined

/** True if a write of these fields makes the platform derive values of others. */
export function derivesFrom(object: ObjectType, values: RecordValues): boolean {
  const derivation = findBehaviour(object)?.derivation
  return derivation !== undefined && known(object, derivation.from).some((field) => values.has(field))
}

/** The records as they are before an update, locked until the transaction ends. */
async function loadOld(
  ctx: Where,
  object: ObjectType,
  { from, reads = [] }: Derivation,
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<string, ReadonlyMap<Field, ColumnValue>>> {
  const fields = known(object, [...from, ...reads])
  const ids = records.map(({ id }) => id).sort()
  const statement = writeSql.lockValues(ctx.org, object, fields, ids)
  const rows = await namingLocked(ctx, ids, () => ctx.db.rows(statement))
  return new Map(
    rows.map(([id, ...values]) => [
      id as string,
      new Map(fields.map((field, index) => [field, toStored(field, values[index]!)])),
    ]),
  )
}

/** The fields of an object that a change of others needs as they were. */
export const listOldFields = (object: ObjectType): readonly Field[] => {
  const { from = [], reads = [] } = findBehaviour(object)?.derivation ?? {}
  return known(object, [...from, ...reads])
}

/** The records as they were: an effect on parents brings that along. */
async function findOld(
  ctx: Where,
  object: ObjectType,
  derivation: Derivation,
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<string, ReadonlyMap<Field, ColumnValue>>> {
  if (records.some(({ old }) => old === undefined)) return loadOld(ctx, object, derivation, records)
  return new Map(records.map(({ id, old }) => [id, old!]))
}

/** The id that a record will have in a reference. */
const targetOf = (
  field: Field,
  { values }: PlannedRecord,
  old: ReadonlyMap<Field, ColumnValue> | undefined,
) => (values.has(field) ? values.get(field) : old?.get(field)) as string | null | undefined

/** Records to load, of one object, with the names of the fields that are asked of them. */
interface Wanted {
  readonly ids: Set<string>
  readonly names: Set<string>
  /** References of these records, each with the names that are asked of what they point to. */
  readonly further: Map<string, readonly string[]>
  /** Against what they are locked beside deletion and restoration. */
  lock: 'changes' | 'changes by others' | undefined
}

/** Fields that a derivation reads from related records, by the reference. */
function listAsked({ related = {}, follows = {} }: Derivation): ReadonlyMap<string, readonly string[]> {
  const asked = new Map(Object.entries(related))
  for (const { reference, field } of Object.values(follows).flat())
    asked.set(reference, [...(asked.get(reference) ?? []), field])
  return asked
}

/** True if a derivation copies what the reference points to, and follows it. */
const isFollowed = ({ follows = {} }: Derivation, reference: string): boolean =>
  Object.values(follows).some((copies) => copies.some((one) => one.reference === reference))

/** Sorts what the derivation of the records asks for by the object that it is of. */
function listWanted(
  ctx: Where,
  object: ObjectType,
  derivation: Derivation,
  records: readonly PlannedRecord[],
  old: ReadonlyMap<string, ReadonlyMap<Field, ColumnValue>>,
  purpose: Purpose,
): ReadonlyMap<ObjectType, Wanted> {
  const wanted = new Map<ObjectType, Wanted>()
  for (const [path, names] of listAsked(derivation)) {
    const [first, second] = path.split('.') as [string, string?]
    const field = object.field(first)
    if (field === undefined) continue
    for (const record of records) {
      const id = targetOf(field, record, old.get(record.id))
      const target = typeof id === 'string' ? ctx.schema.objectOfId(id) : undefined
      if (target === undefined) continue
      const asked = getOrInsert(
        wanted,
        target,
        (): Wanted => ({
          ids: new Set(),
          names: new Set(),
          further: new Map(),
          lock: undefined,
        }),
      )
      asked.ids.add(id!)
      // Copied values must not change before the copy can be seen and follow. A master is locked alone: the same transaction may
      // change it next, and two that share it would wait for each other.
      if (purpose === 'create' && isFollowed(derivation, path) && asked.lock !== 'changes by others')
        asked.lock = field.definition.onDelete === 'cascade' ? 'changes by others' : 'changes'
      if (second === undefined) for (const name of names) asked.names.add(name)
      else if (target.field(second) !== undefined) {
        asked.names.add(second)
        asked.further.set(second, names)
      }
    }
  }
  return wanted
}

/** `again`: nobody writes the records. */
type Purpose = 'create' | 'update' | 'again'

/** The records that are referred to, those of a parent's references too, in one statement. */
async function loadRelated(
  ctx: Where,
  object: ObjectType,
  derivation: Derivation,
  records: readonly PlannedRecord[],
  old: ReadonlyMap<string, ReadonlyMap<Field, ColumnValue>>,
  purpose: Purpose,
): Promise<ReadonlyMap<string, RelatedRecord>> {
  const wanted = listWanted(ctx, object, derivation, records, old, purpose)
  const sorted = [...wanted].sort(([one], [other]) => (one.name < other.name ? -1 : 1))
  const held: HeldRecords[] = []
  for (const [target, { ids, names, further, lock }] of sorted) {
    const own = { object: target, fields: known(target, [...names]), lock }
    const from = held.push({ ...own, ids: [...ids].sort() }) - 1
    for (const [name, asked] of further) {
      const reference = target.field(name)!
      const [upper] = reference.referenceTo.map((one) => requireObject(ctx.schema, one))
      held.push({ object: upper!, fields: known(upper!, asked), from, reference })
    }
  }
  const loaded = new Map<string, RelatedRecord>()
  if (held.length === 0) return loaded
  // Locked: a record that is deleted now, so that nothing follows from it, is not restored before this write is refused for it.
  const statement = writeSql.heldValues(ctx.org, held)
  const rows = await namingLocked(
    ctx,
    sorted.flatMap(([, { ids }]) => [...ids]),
    () => ctx.db.rows(statement),
  )
  for (const [index, text] of rows) {
    const { object: target, fields } = held[index as number]!
    const [id, isDeleted, ...values] = JSON.parse(text as string) as ColumnValue[]
    if (isDeleted === true) continue
    const own = fields.map((field, at) => [field.name, toStored(field, values[at]!)])
    const before = loaded.get(id as string)?.values
    loaded.set(id as string, { object: target.name, values: { ...before, ...Object.fromEntries(own) } })
  }
  return loaded
}

/** Sets the fields that have what other records have. */
function setCopies(record: DerivedRecord, { follows = {} }: Derivation): void {
  for (const [name, copies] of Object.entries(follows)) {
    const values = copies.map(({ reference, field }) => record.related(reference)?.values[field] ?? null)
    record.set(name, copies.length === 1 ? values[0]! : values.filter(Boolean).join(' ') || null)
  }
}

/** The records of another object beside each of these, by the id of what both refer to. */
async function loadSiblings(
  ctx: Where,
  object: ObjectType,
  { siblings }: Derivation,
  records: readonly PlannedRecord[],
  old: ReadonlyMap<string, ReadonlyMap<Field, ColumnValue>>,
): Promise<ReadonlyMap<string, readonly RelatedRecord[]>> {
  if (siblings === undefined) return new Map()
  const of = object.field(siblings.of)!
  const ids = records.flatMap((record) => targetOf(of, record, old.get(record.id)) ?? [])
  const other = requireObject(ctx.schema, siblings.object)
  const reference = other.field(siblings.reference)!
  const fields = known(other, siblings.fields)
  const rows = await ctx.db.rows(writeSql.children(ctx.org, other, reference, fields, [...new Set(ids)]))
  const found = new Map<string, RelatedRecord[]>()
  for (const [id, ...values] of rows) {
    const own = fields.map((field, index) => [field.name, toStored(field, values[index]!)])
    getOrInsert(found, id as string, () => []).push({ object: other.name, values: Object.fromEntries(own) })
  }
  return found
}

/**
 * Sets the values that follow from others, of records that are about to be written. An update reads and locks the records
 * first, in one statement for a list.
 * @returns the errors by record
 */
export async function deriveValues(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
  purpose: 'create' | 'update',
): Promise<Refusals<PlannedRecord>> {
  const refusals: Refusals<PlannedRecord> = new Map()
  const derivation = findBehaviour(object)?.derivation
  if (derivation === undefined) return refusals
  const deriving =
    purpose === 'create' ? records : records.filter(({ values }) => derivesFrom(object, values))
  if (deriving.length === 0) return refusals
  const old = purpose === 'create' ? new Map() : await findOld(ctx, object, derivation, deriving)
  const related = await loadRelated(ctx, object, derivation, deriving, old, purpose)
  const siblings = await loadSiblings(ctx, object, derivation, deriving, old)
  const { userId, fiscalYear } = ctx.principal
  const facts = {
    now: secondsText(ctx.clock()),
    userId,
    version: ctx.version,
    fiscalYear,
    isRecomputed: false,
  }
  for (const record of deriving) {
    const before = old.get(record.id)
    // A record that is gone is refused by the statement that would change it.
    if (purpose === 'update' && before === undefined) continue
    record.old = before
    record.related = related
    const derived = new DerivedRecord(object, record.values, before, related, siblings, facts)
    try {
      if (purpose === 'create') setCopies(derived, derivation)
      derivation.derive(derived)
      checkComputedNumbers(derived.derived)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.set(record, error)
    }
    record.values = new Map([...record.values, ...derived.derived])
  }
  return refusals
}

const AUDIT = ['LastModifiedDate', 'LastModifiedById']

/** True if a derivation may set the field: times of use differ by caller, and bytes and encrypted values only come from clients. */
const mayBeDerived = (field: Field): boolean =>
  isStored(field) && field.type.encrypted === undefined && field.type.holdsBytes !== true

/** A record whose stored values are not what the platform derives, or that the derivation refuses. */
export interface DerivedAgain {
  readonly id: string
  /** Differing values. */
  readonly values: RecordValues
  readonly error?: ApiError
}

/**
 * Derives the values of stored records again, locked until the transaction ends.
 * @returns records with what differs, and those that contradict themselves
 */
export async function deriveAgain(
  where: Where,
  object: ObjectType,
  ids: readonly string[],
  fiscalYear: FiscalYear,
): Promise<readonly DerivedAgain[]> {
  const derivation = findBehaviour(object)?.derivation
  if (derivation === undefined) return []
  const records = ids.map((id) => planRecord(id, new Map()))
  const all = object.fields.filter(mayBeDerived).map(({ name }) => name)
  const old = await loadOld(where, object, { ...derivation, reads: all }, records)
  const related = await loadRelated(where, object, derivation, records, old, 'again')
  const siblings = await loadSiblings(where, object, derivation, records, old)
  const [date, author] = known(object, AUDIT) as [Field, Field]
  return records.flatMap(({ id }): DerivedAgain[] => {
    const before = old.get(id)
    if (before === undefined) return []
    const facts = {
      now: before.get(date) as string,
      userId: before.get(author) as string,
      version: undefined,
      fiscalYear,
      isRecomputed: true,
    }
    const record = new DerivedRecord(object, new Map(), before, related, siblings, facts)
    try {
      setCopies(record, derivation)
      derivation.derive(record)
      checkComputedNumbers(record.derived)
    } catch (error) {
      if (error instanceof ApiError) return [{ id, values: new Map(), error }]
      throw error
    }
    const isKept = (field: Field) =>
      derivation.once?.includes(field.name) && (before.get(field) ?? null) !== null
    const differing = [...record.derived].filter(
      ([field, value]) => value !== (before.get(field) ?? null) && !isKept(field),
    )
    return differing.length === 0 ? [] : [{ id, values: new Map(differing) }]
  })
}
