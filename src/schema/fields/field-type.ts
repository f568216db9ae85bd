import { ApiError } from '../../base/api-error.ts'
import type { Sql } from '../../base/sql.ts'
import type { FormulaType } from '../../formulas/language/formula-type.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { Field } from './field.ts'
import type { FieldDefinition } from './field-definition.ts'
import type { FieldTypeName } from './registry.ts'
import type { TypeInColumns } from './type-in-columns.ts'
import type { TypeInFiles } from './type-in-files.ts'
import type { TypeInSourceFormat } from './type-in-source-format.ts'

/** How a literal for the field is written in a query; also the word that messages use. (docs/reference/api/queries.md#literals) */
export type LiteralKind = 'string' | 'id' | 'boolean' | 'int' | 'double' | 'date' | 'dateTime' | 'time'

/** Groups of query operators. (docs/reference/api/queries.md#operators) */
export type OperatorGroup = 'equality' | 'order' | 'like' | 'includes'

/** Prefix of the GraphQL types for its values: `CurrencyValue`, `CurrencyOperators`. (docs/reference/api/graphql.md#values) */
export type GraphqlKind =
  | 'String'
  | 'Picklist'
  | 'MultiPicklist'
  | 'TextArea'
  | 'LongTextArea'
  | 'RichTextArea'
  | 'Email'
  | 'PhoneNumber'
  | 'Url'
  | 'EncryptedString'
  | 'Base64'
  | 'ID'
  | 'Boolean'
  | 'Int'
  | 'Double'
  | 'Currency'
  | 'Percent'
  | 'Date'
  | 'DateTime'
  | 'Time'
  | 'Address'
  | 'Location'

/** How a value is shown in a user's locale, where not as plain text or number. */
export type DisplayFormat = 'currency' | 'percent' | 'date' | 'dateTime' | 'time'

/** The keys of a describe entry that depend on the type. (docs/reference/api/metadata.md#field-types) */
export interface TypeFacts {
  readonly length?: number
  readonly byteLength?: number
  readonly precision?: number
  readonly scale?: number
  readonly digits?: number
  readonly htmlFormatted?: boolean
  readonly encrypted?: boolean
  readonly mask?: string | null
  readonly maskType?: string | null
  readonly extraTypeInfo?: string | null
  readonly queryByDistance?: boolean
  readonly searchPrefilterable?: boolean
}

/**
 * Everything that is specific to one field type. A new type is a file with one of these, and its line in `registry.ts`. No code outside `schema/fields/` depends on a type's name.
 */
export interface FieldType {
  readonly name: FieldTypeName
  /**
   * The type as people see it: `Checkbox`, `Text(80)`, `Lookup(Account)`.
   * @param referenceTo the objects that a reference points to, as far as the reader may see them
   */
  readonly label: string | ((field: Field, referenceTo: readonly string[]) => string)
  readonly graphql: GraphqlKind
  /** `type` and `soapType` in a describe. */
  readonly describedAs: string
  readonly soapType: string
  /** TypeScript's type of its values, where it is not null. */
  readonly typescript: string
  /** How definition files write its fields; undefined if they cannot have any. */
  readonly file: TypeInFiles | undefined
  /** How source format writes its fields; undefined if it has none of the type. */
  readonly sourceFormat: TypeInSourceFormat | undefined
  /** How columns of files are recognized as one of the type; undefined if none is. */
  readonly inColumns: TypeInColumns | undefined
  /** PostgreSQL's names of the column types that it is in imports of tables, each with the difference to the column, if any. */
  readonly importedFrom?: Readonly<Record<string, string | undefined>>
  /** True for a field that an import of a describe takes for one of the type; absent: the described type decides. */
  readonly isDescribedBy?: (field: DescribedFacts) => boolean
  readonly history: TypeInHistory
  /** SQL type of its column, with collation (`text collate "C"`); undefined for a compound field. */
  column(field: FieldDefinition): string | undefined
  /** Type of a parameter that is compared with the column. */
  readonly parameter: string
  /** PostgreSQL's storage mode for long values; absent: the default of the column's type. */
  readonly storage?: 'external'
  /** Fixed constraint of its column definition: a primary key, a generated expression. */
  readonly constraint?: (field: Field) => string
  /** The database generates its values from other columns. */
  readonly generated?: boolean
  /** Those columns in order, and what it makes of their values. */
  readonly generatedFrom?: (field: Field) => readonly Field[]
  readonly generate?: (parts: readonly (string | null)[]) => string | null
  /** Its column's default as SQL; `sequence` is the counter's quoted name, if it has one. */
  readonly columnDefault?: (field: Field, sequence: string) => string
  /** Its values come from a counter in the database. */
  readonly counted?: boolean
  /** The text of a number of that counter, both as SQL. */
  readonly writeNumber?: (field: Field, number: string) => string
  /** Never null: the platform fills it when the caller does not. */
  readonly alwaysFilled?: boolean
  /** The value that null becomes, in types that have no null. */
  readonly emptyValue?: false
  /**
   * Converts a JSON value to its stored form. Never called with null; may return null (an empty text).
   * @throws WrongKind for a value of the wrong JSON type
   */
  coerce(value: unknown, field: Field): ColumnValue
  /** True if it takes the value only where the server is lenient. (docs/reference/strict-rules.md) */
  readonly isTakenByLeniency?: (value: unknown) => boolean
  /** Texts of its values that files of rows may have, as what `coerce` takes; undefined for one that is none. Absent: `coerce` takes them. */
  readonly readText?: (text: string) => unknown
  /** The text of a JSON form in files of rows and in GraphQL, which `readText` reads; absent: what `String` makes of it. */
  readonly writeText?: (shown: unknown) => string
  /**
   * Refuses a value of the right type that is not allowed.
   * @throws ApiError
   */
  validate?(value: Exclude<ColumnValue, null>, field: Field): void
  /**
   * Converts a stored value to its JSON form; absent when both are the same.
   * `recordUrl` is the URL of the record: `/services/data/v64.0/sobjects/Attachment/00P...`, `origin` what stands
   * before it in an address that is followed from elsewhere.
   */
  readonly read?: (
    value: Exclude<ColumnValue, null>,
    recordUrl: string,
    field: Field,
    origin?: string,
  ) => unknown
  /** Its values are shown as addresses, which are made of the record's. */
  readonly readAsAddress?: true
  /**
   * Its values are encrypted in the database. The decoder of rows decrypts them instead of `read`; `mask` hides a value
   * from callers without permission to see it.
   */
  readonly encrypted?: { readonly mask: (text: string) => string }
  /** Its values are bytes of any length, fetched at an address of their own. */
  readonly holdsBytes?: true
  /** Its values are documents, by whose members queries filter. */
  readonly hasMembers?: true
  /** Its values are ids of other records. */
  readonly refers?: true
  /** Its values may be so long that a page of records holds fewer of them. */
  readonly long?: true
  /** Its values are numbers that may have a fraction; answers show one, whatever the number is. */
  readonly decimal?: true
  /** Its values are amounts of the org's currency. */
  readonly currency?: true
  readonly displayedAs?: DisplayFormat
  /** Its definition lists values. */
  readonly listed?: true
  /** Platform events may have fields of the type. */
  readonly inEvents?: true
  /** Its values sort in the order of the list, not of the alphabet. */
  readonly sortedAsListed?: true
  /** Stands between the values of a field that holds several. */
  readonly separator?: string
  /** The values for which a dependent picklist may list different ones; absent: it cannot control a picklist. */
  readonly controllingValues?: (listed: readonly string[]) => readonly string[]
  /** Its fields may name the records of a custom object. */
  readonly namesRecords?: true
  /** The definitions of a compound field's parts; absent when they are fields of the object's definition. */
  readonly makeParts?: (field: FieldDefinition) => FieldDefinition[]
  /** A compound field's value from those of its parts, in order. */
  readonly compose?: (parts: readonly unknown[]) => unknown
  /** Latitude and longitude among the parts, in order; absent when it is not a location on earth. */
  readonly coordinates?: (parts: readonly Field[]) => readonly [latitude: Field, longitude: Field]
  /** The select expression for the column; absent for the column itself. */
  readonly selected?: (column: Sql) => Sql
  /**
   * The text of a value in files of rows, as SQL for a column or the value of a formula: what `String` makes of the JSON form.
   * Undefined where only the decoder of rows can make it.
   */
  readonly csvText?: ((column: Sql, field: Field) => Sql) | undefined
  /** The expression by which values are compared, sorted, looked up and indexed. Absent: the column itself. */
  readonly comparable?: ((expression: Sql, field: Field) => Sql) | undefined
  readonly literal: LiteralKind
  readonly operators: readonly OperatorGroup[]
  readonly sortable: boolean
  readonly groupable: boolean
  readonly aggregatable: boolean
  /** How roll-ups aggregate its values; absent if they cannot. (docs/reference/formulas.md#roll-up-summaries) */
  readonly rollUp?: TypeInRollUps
  /** Type of its values in formulas; absent if formulas cannot refer to them. */
  readonly formula?: FieldInFormulas | undefined
  /** The group in which searches find words of its values; absent when they are not searched. */
  readonly searchedAs?: 'email' | 'phone' | 'text' | 'richText'
  facts?(field: FieldDefinition): TypeFacts
}

/** Properties of a described field that tell types with the same described type apart. */
export interface DescribedFacts {
  readonly type: string
  readonly autoNumber: boolean
  readonly calculated: boolean
  readonly extraTypeInfo: string | null
  readonly filterable: boolean
  readonly htmlFormatted: boolean
  readonly length: number
}

/** How changes of values are kept. (docs/reference/api/history.md) */
interface TypeInHistory {
  /** `DataType` of the records. */
  readonly dataType: string
  /** A value as JSON text, in the form in which records show it; absent: the one that the database makes. */
  readonly jsonText?: (value: Sql, field: Field) => Sql
}

/** How roll-ups take the values of a field type. */
interface TypeInRollUps {
  /** The type of their smallest and largest value, and of their sum. */
  readonly result: FieldTypeName
  /** They can be added up; the smallest and largest is there of every type. */
  readonly hasSum?: true
  /** A field of this type can count details. */
  readonly counts?: true
}

/** How formulas see the values of a field type. */
interface FieldInFormulas {
  readonly type: FormulaType
  /** The stored 50 is 0.5. */
  readonly isPercent?: true
  /** The values are record ids. */
  readonly isId?: true
  /** Validation rules may refer to it, formula fields may not: its values may be too long. */
  readonly inRulesOnly?: true
  /** A formula field may be of this type. */
  readonly isResult?: true
}

/** A text that is no value of a type; `coerce` of the type refuses it. */
export class UnreadText {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

/** Returns the value that `coerce` takes for a text of a file; for a text of no value, one that it refuses. */
export function readGivenText({ readText }: FieldType, text: string): unknown {
  if (readText === undefined) return text
  const value = readText(text)
  return value === undefined ? new UnreadText(text) : value
}

/** A value of the wrong JSON type; the write path adds its location in the body. (docs/reference/api/records.md#error-codes) */
export class WrongKind extends Error {
  /** The word of the message: `Cannot deserialize instance of <kind>`. */
  readonly kind: string
  constructor(kind: string) {
    super(`not a ${kind}`)
    this.kind = kind
  }
}

/** Why a value of a definition file is not valid for its field; undefined when it is. An empty text is valid. */
export function findValueProblem(field: Field, value: unknown): string | undefined {
  try {
    const stored = field.type.coerce(value, field)
    if (stored !== null) field.type.validate?.(stored, field)
    return undefined
  } catch (error) {
    if (error instanceof WrongKind) return `${JSON.stringify(value)} is not a valid ${error.kind}`
    if (error instanceof ApiError) return error.message
    throw error
  }
}
