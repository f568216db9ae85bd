import { ApiError } from '../../base/api-error.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { AuditFields } from '../../schema/objects/table.sql.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { ColumnValue, Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Derivation, RelatedRecord } from './derived-record.ts'
import type { ParentEffect } from './parent-effect.ts'

/** How another object keeps what the records of an object were, a record for each state. Names are API names. */
export interface KeptStates {
  /** The object that keeps them. */
  readonly object: string
  /** Its reference to the record. */
  readonly reference: string
  /** Fields whose change makes a new state. Both objects have them. */
  readonly when: readonly string[]
  /** Fields that a state has, too. */
  readonly more: readonly string[]
  /** By field of the state, the field whose value of the state before it has. */
  readonly previous: Readonly<Record<string, string>>
}

/** A record that is written, with the values to write. */
export interface WrittenRecord {
  readonly id: string
  readonly values: RecordValues
  /** The records that it refers to, by id, with what its derivation names of them. */
  readonly related?: ReadonlyMap<string, RelatedRecord> | undefined
}

/** Values in stored form by API name. */
export type AddedValues = Readonly<Record<string, ColumnValue>>

export interface ChangedValues {
  readonly id: string
  readonly values: AddedValues
}

/** A write as hooks see it. Its `db` is the transaction of the write. */
export interface Write {
  readonly org: Org
  readonly db: Db
  readonly schema: SchemaSnapshot
  /** True if the strict rules are off. (docs/reference/strict-rules.md) */
  readonly lenient: boolean
  /** The object whose records are written. */
  readonly object: ObjectType
  readonly audit: AuditFields
  /** The error for a query that no PushTopic may have; undefined: it may. */
  readonly checkTopicQuery: (query: string) => ApiError | undefined
  /**
   * Inserts records of another object that the platform adds to those of the caller: with default values, what they derive and
   * what they change in their parents, and without the hooks and triggers of that object.
   * @returns their ids, in order
   */
  insert(object: string, records: readonly AddedValues[]): Promise<string[]>
  /** Changes records of another object in the same way. */
  change(object: string, records: readonly ChangedValues[]): Promise<void>
  /** Deletes records of another object in the same way. */
  remove(object: string, ids: readonly string[]): Promise<void>
}

/**
 * Completes and checks the values of one record, after before-triggers and before all other checks of values.
 * @throws ApiError to refuse the record
 */
export type Complete = (values: RecordValues, object: ObjectType, schema: SchemaSnapshot) => void

/**
 * Behaviour of the records of a standard object beside being stored. The write path calls it for every API and knows no
 * object by name. An object without behaviour costs a write one lookup.
 */
export interface ObjectBehaviour {
  /** Fields that follow from others. */
  readonly derivation?: Derivation
  /** The reference to the record above it; a record is never above itself. */
  readonly hierarchy?: {
    readonly reference: string /** Most records in a line. */
    readonly maxLevels?: number
  }
  /** Effects of writes on the records that they refer to. */
  readonly effects?: readonly ParentEffect[]
  /** Another object keeps what its records were. */
  readonly states?: KeptStates
  readonly completeInsert?: Complete
  readonly completeUpdate?: Complete
  /**
   * Sets references of new records that their other references decide, before anything follows from these.
   * An object that has it has `beforeInsert` or `afterInsert` too.
   */
  readonly findReferences?: (write: Write, records: readonly WrittenRecord[]) => Promise<void>
  /** Refuses new records because of others that there are. */
  readonly refuseInsert?: <R extends WrittenRecord>(
    write: Write,
    records: readonly R[],
  ) => Promise<ReadonlyMap<R, ApiError>>
  /** Refuses changes because of other records. The values have what was derived. */
  readonly refuseChange?: <R extends WrittenRecord>(
    write: Write,
    records: readonly R[],
  ) => Promise<ReadonlyMap<R, ApiError>>
  /** Records that are not deleted, with a parent neither. */
  readonly kept?: KeptRecords
  /** Refuses deletions, by id. Records that go with a parent are not asked for. */
  readonly refuseDelete?: (write: Write, ids: readonly string[]) => Promise<ReadonlyMap<string, ApiError>>
  /**
   * Fields of which one has to be written for the four hooks that follow, of a new record with a value; absent: each write calls
   * them. Deletions always call `afterChange`.
   */
  readonly hooksFor?: readonly string[]
  /** Before new records are written, when their values are checked but their references are not. May set values. */
  readonly beforeInsert?: (write: Write, records: readonly WrittenRecord[]) => Promise<void>
  /** Before records are changed, when nothing but the statement itself can refuse the change. */
  readonly beforeChange?: (write: Write, records: readonly WrittenRecord[]) => Promise<void>
  /** After new records were written, before after-triggers. */
  readonly afterInsert?: (write: Write, records: readonly WrittenRecord[]) => Promise<void>
  /** After records were changed or deleted, before after-triggers. */
  readonly afterChange?: (write: Write, ids: readonly string[]) => Promise<void>
  /** The errors for values that another record has, by the unique field; absent: `DUPLICATE_VALUE`. */
  readonly duplicates?: Readonly<Record<string, () => ApiError>>
  /** The field with the media type, or the file extension, of the record's bytes. */
  readonly mediaTypeField?: string
}

/** Records that stay in their present state. */
export interface KeptRecords {
  /** Those of the records, locked or not. */
  readonly find: (where: Pick<Write, 'org' | 'db'>, ids: readonly string[]) => Promise<readonly string[]>
  /** The error for who deletes one. */
  readonly message: string
}

/** The text of a field; undefined when it is not written or empty. */
export function getText(object: ObjectType, values: RecordValues, name: string): string | undefined {
  const value = values.get(object.field(name)!)
  return typeof value === 'string' ? value : undefined
}

/** The error for a record without values that it needs. */
export const missingError = (fields: readonly string[]): ApiError =>
  new ApiError('REQUIRED_FIELD_MISSING', `Required fields are missing: [${fields.join(', ')}]`, { fields })

/** The error for a value that contradicts other data. */
export const integrityError = (message: string, ...fields: readonly string[]): ApiError =>
  new ApiError('FIELD_INTEGRITY_EXCEPTION', message, { fields })
