import type { FieldDefinition } from './field-definition.ts'

/** The properties of a field in a definition file that not every type has. */
export type FileProperty = keyof Pick<
  FieldDefinition,
  | 'trackHistory'
  | 'required'
  | 'computed'
  | 'formula'
  | 'blanks'
  | 'rollUp'
  | 'defaultFormula'
  | 'unique'
  | 'externalId'
  | 'idLookup'
  | 'caseSensitive'
  | 'precision'
  | 'scale'
  | 'values'
  | 'valueSet'
  | 'controller'
  | 'restricted'
  | 'to'
  | 'relationship'
  | 'children'
  | 'onDelete'
  | 'masterDetail'
  | 'reparentable'
  | 'format'
>

type Defaults = Pick<FieldDefinition, 'length' | 'precision' | 'scale' | 'format'>

/** How definition files write the fields of a type. (docs/reference/definition-files.md#fields) */
export interface TypeInFiles {
  /** Properties that its fields may have beside those of every field. */
  readonly properties: readonly FileProperty[]
  /** Values of the properties that a file leaves out. */
  readonly defaults?: Defaults
  /** The same for the name field of a custom object, where it differs. */
  readonly nameDefaults?: Defaults
  /** Largest `length`; absent: its fields have none. */
  readonly maxLength?: number
  /** `precision` counts rows that people see, not digits. */
  readonly hasRows?: true
  /** Kind of value of the property `default`; absent: its fields have none. */
  readonly default?: 'text' | 'flag' | 'number' | 'int'
}

/** Properties of fields whose values are stored and written by clients. */
export const STORED: readonly FileProperty[] = ['trackHistory', 'required', 'computed', 'defaultFormula']

/** Properties of fields whose values can name records. */
export const KEY: readonly FileProperty[] = ['unique', 'externalId', 'idLookup']

export const FORMULA: readonly FileProperty[] = ['formula', 'blanks']

/** Properties of fields that list their values. */
export const LISTED: readonly FileProperty[] = ['values', 'valueSet', 'controller', 'restricted']
