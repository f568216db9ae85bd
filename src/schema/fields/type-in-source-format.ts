import type { FieldDefinition } from './field-definition.ts'

/**
 * What an import takes from the elements of a field. `key`: unique, caseSensitive and externalId; `digits`: precision and
 * scale; `rows`: the visible lines, as precision.
 */
export type SourcePart =
  | 'length'
  | 'required'
  | 'key'
  | 'externalId'
  | 'digits'
  | 'values'
  | 'rows'
  | 'format'
  | 'mask'
  | 'reference'

type Written = {
  readonly [Name in 'length' | 'precision' | 'scale' | 'format' | 'formula']?:
    | FieldDefinition[Name]
    | undefined
}

/** How source format writes the fields of a type. (docs/how-to/bring-your-schema.md) */
export interface TypeInSourceFormat {
  /** The name of the type there. */
  readonly name: string
  /** Imports take a field with this name for one of another type, and exports say so. */
  readonly isOther?: true
  readonly reads: readonly SourcePart[]
  /** The elements of a field that follow from its properties; absent: none but those that every type has. */
  readonly write?: (field: Written) => Readonly<Record<string, string | number | boolean | undefined>>
}

/** The length, which formulas do not have. */
export const writeLength = ({ length, formula }: Written) => (formula === undefined ? { length } : {})
