import type { ColumnValue } from '../../storage/database/db.ts'
import type { FieldDefinition, PicklistValue, StatusProperties } from '../definitions/definition.ts'
import type { FieldType } from './field-type.ts'

/** A value of a picklist, completed with the defaults of what its definition omits. */
export interface ListedValue
  extends Required<Pick<PicklistValue, 'value' | 'label' | 'default' | 'inactive'>> {
  readonly validFor: PicklistValue['validFor'] | undefined
  readonly status: StatusProperties
}

/** A field as the server works with it: its definition with everything that follows from it. */
export interface Field {
  readonly definition: FieldDefinition
  /** Canonical API name. */
  readonly name: string
  readonly label: string
  readonly type: FieldType
  /** Name of its column; undefined for a compound field and one that shows those of other records, which have none. */
  readonly column: string | undefined
  readonly createable: boolean
  readonly updateable: boolean
  /** May be null. */
  readonly nillable: boolean
  /** Gets a value by itself when a create gives none. */
  readonly defaultedOnCreate: boolean
  /** The value that the definition or its picklist names for that case. */
  readonly default: string | number | boolean | undefined
  /** Names a record in `/sobjects/X/{field}/{value}`. */
  readonly idLookup: boolean
  /** API names of the objects that a reference points to; more than one makes it polymorphic. */
  readonly referenceTo: readonly string[]
  readonly picklist: readonly ListedValue[]
  /** The fields that a compound field is made of, in order. */
  readonly parts: readonly Field[]
  /**
   * Can be granted by itself. The others (required ones, what the platform sets, a person's name) come with their object.
   */
  readonly permissionable: boolean
  /** A field that the platform keeps on every object, not part of any definition. */
  readonly system: boolean
}

/** Whether the record itself has the value, and not another record or the caller. */
export const isStored = ({ column, definition: { recent, addressOf, namedBy } }: Field): boolean =>
  column !== undefined && recent === undefined && addressOf === undefined && namedBy === undefined

/** Whether a create is refused without a value for it. */
export function isRequired(field: Field): boolean {
  return field.createable && !field.nillable && !field.defaultedOnCreate
}

/** The values of a record to be written, in stored form. */
export type RecordValues = Map<Field, ColumnValue>
