import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import type { PlannedWrite, WriteKind } from '../prepare/planned-write.ts'
import type { AddedWrites } from './added-writes.ts'
import type { ParentWrites } from './parent-effects.ts'
import type { PendingEffects } from './plan-effects.ts'

/**
 * Why records are written: a client's call says so (deployed code too), they are parents of records that were written, or the platform
 * adds them to what it writes.
 */
export type WriteCause = 'call' | 'effect' | 'added'

/** Ids of records, by object. */
export type ReachedRecords = ReadonlyMap<ObjectType, ReadonlySet<string>>

/** A write as its steps see it, in its transaction if it has one. */
export interface RecordWrite extends PlannedWrite {
  readonly cause: WriteCause
  /** Of parents: effects whose parents are locked already. */
  readonly known?: PendingEffects | undefined
  /** The records as triggers see them before the write, locked; undefined: there are no triggers. */
  old?: ReadonlyMap<string, RecordBody> | undefined
  /** Parents that the write changes, locked. */
  effects: PendingEffects
  /** The same for what a deletion or a restoration takes along, by object. */
  reached: ReachedRecords
  /** Author and time of the write, when they are set. */
  audit?: AuditFields | undefined
}

/** Writes that steps of a write make in turn. */
export interface FurtherWrites {
  readonly parents: ParentWrites
  readonly added: AddedWrites
}

/** How much a write needs a step: not at all, in this process, or in one transaction with the statement that writes. */
type Need = undefined | 'process' | 'transaction'

/** One rule of a write. */
export interface Step {
  /** Its rule in words, for the documentation. */
  readonly does: string
  /** The writes that it belongs to. */
  readonly of: Readonly<Partial<Record<WriteKind, readonly WriteCause[]>>>
  /** Asked before the write begins, when nothing is known but what the caller asks for. */
  need(write: RecordWrite): Need
  run(write: RecordWrite, further: FurtherWrites): Promise<void> | void
}
