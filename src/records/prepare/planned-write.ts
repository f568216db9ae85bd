import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { RecordBody } from '../../schema/snapshot/record-format.sql.ts'
import type { PlannedRecord } from './planned-record.ts'

export type WriteKind = 'insert' | 'update' | 'delete' | 'undelete'

/** Records of one object that are to be written alike. */
export interface PlannedWrite {
  readonly ctx: Context
  readonly kind: WriteKind
  /** With all fields, also those that the caller may not see. */
  readonly object: ObjectType
  readonly records: readonly PlannedRecord[]
  /** Each record is that of another call: its event is told as a transaction of its own. */
  readonly isOfSeveralCalls?: boolean
  /** The records as they were before a change, locked, if an observer compares them. */
  before?: ReadonlyMap<string, RecordBody> | undefined
}

/**
 * Who is told of writes, in their transaction: of changes just before they are written, when the database has the old values and
 * the records have the new ones, and of all others just after. Who reads old values locks the records, in the order of their ids.
 */
export interface Observer {
  /**
   * True if it wants to be told of such a write. Asked before each write, which is a single statement unless somebody wants to know of it.
   * @param fields of a change, those that may be written
   */
  wants(ctx: Context, kind: WriteKind, object: ObjectType, fields: Iterable<Field>): boolean
  /** Returns the author and time of the write, which an observer may set later than they were. */
  tell(write: PlannedWrite, audit: AuditFields): Promise<AuditFields>
  /** Told of changes once more, just after they are written. */
  written?(write: PlannedWrite, audit: AuditFields): Promise<void>
}
