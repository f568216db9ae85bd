import type { Sql } from '../../base/sql.ts'
import type { Formula } from '../../formulas/language/expression.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type {
  FieldDefinition,
  PicklistValue,
  RollUpDefinition,
  StatusProperties,
} from './field-definition.ts'
import type { FieldType, OperatorGroup } from './field-type.ts'

/** A value of a picklist, completed with the defaults of what its definition omits. */
export interface ListedValue
  extends Required<Pick<PicklistValue, 'value' | 'label' | 'default' | 'inactive'>> {
  readonly validFor: PicklistValue['validFor'] | undefined
  readonly status: StatusProperties
}

/** The rows of an object in a statement. */
export interface RowSource {
  /** Alias of the table; undefined where the statement names the table alone. */
  readonly alias: string | undefined
  /** There may be no such row: a parent by an outer join. */
  readonly isOptional?: boolean
  /** Joined parents whose records are all there, whatever the caller may see: by `parentKey`. */
  readonly formulaParents?: ReadonlyMap<string, RowSource>
}

/** How a joined parent is found: by the reference and the object that it leads to. */
export const parentKey = (reference: string, object: string): string => `${reference} ${object}`

/** A reference that a formula follows, and the object that it leads to. */
export interface ParentStep {
  readonly reference: Field
  readonly object: string
  /** The records of that object in the org of the caller, as FROM takes them. */
  rows(alias: string): Sql
}

/** A formula of an object. */
export interface SchemaFormula {
  /** Undefined if it does not fit the schema any more. */
  readonly compiled: Formula | undefined
  /** The ways to parents that its value needs, each from the record. */
  readonly parents: readonly (readonly ParentStep[])[]
}

/** The formula of a field, which has no values when it does not fit the schema. */
export interface FieldFormula extends SchemaFormula {
  /** Its value in a row. */
  toSql(row: RowSource): Sql
}

/** A condition of rows. */
export interface RowCondition {
  toSql(row: RowSource): Sql
}

/** How a field sums up details, with what it refers to. */
export interface CompiledRollUp {
  /** API names of the details' object and of its master-detail field. */
  readonly child: string
  readonly reference: string
  readonly function: RollUpDefinition['function']
  readonly of?: Field
  readonly filter?: RowCondition
  /** API names of the detail's stored fields that it follows from. */
  readonly from: readonly string[]
}

/** The roll-up of a field. */
export interface FieldRollUp {
  readonly definition: RollUpDefinition
  /** Undefined if it does not fit the schema any more; the field stays as it is then. */
  readonly compiled: CompiledRollUp | undefined
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
  /** Set for a field that a formula computes. */
  readonly formula: FieldFormula | undefined
  /** Set for a field that sums up details. */
  readonly rollUp: FieldRollUp | undefined
  /** Set for a field whose default a formula computes. */
  readonly defaultFormula: SchemaFormula | undefined
  /** A field that the platform keeps on every object, not part of any definition. */
  readonly system: boolean
}

/** True if the record itself has the value, and not another record or the caller. */
export const isStored = ({ column, definition: { recent, addressOf, namedBy, placeBy } }: Field): boolean =>
  column !== undefined && [recent, addressOf, namedBy, placeBy].every((one) => one === undefined)

/** The operators that queries may compare it by. */
export const getOperators = ({ type, definition }: Field): readonly OperatorGroup[] =>
  definition.comparable === false ? [] : type.operators

/** True if queries may sort by it. */
export const isSortable = ({ type, definition }: Field): boolean =>
  type.sortable && definition.comparable !== false

/** True if queries may group by it. */
export const isGroupable = ({ type, formula }: Field): boolean => type.groupable && formula === undefined

/** True if a create is refused without a value for it. */
export function isRequired(field: Field): boolean {
  return field.createable && !field.nillable && !field.defaultedOnCreate
}

/** True if records may be found by it: a name field may also where addresses and upserts do not have it. */
export const isKey = ({ idLookup, definition, type }: Field): boolean =>
  idLookup || (definition.nameField === true && type.operators.includes('equality'))

/** The values of a record to be written, in stored form. */
export type RecordValues = Map<Field, ColumnValue>

/**
 * The type of a field as people see it: `Text(80)`, `Lookup(Account)`, `Formula (Currency)`.
 * @param referenceTo the objects that it points to, as far as the reader may see them
 */
export function dataTypeLabel(field: Field, referenceTo: readonly string[]): string {
  const { definition, type } = field
  const label = typeof type.label === 'string' ? type.label : type.label(field, referenceTo)
  if (definition.computed === true) return `Formula (${label.replace(/\(.*/, '').trim()})`
  const unique = definition.unique === true && !type.counted
  const marks = [
    definition.externalId === true && ' (External ID)',
    unique && ` (Unique Case ${definition.caseSensitive === true ? 'Sensitive' : 'Insensitive'})`,
  ]
  return label + marks.filter((mark) => mark !== false).join('')
}
