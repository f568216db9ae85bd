import type { Sql } from '../../base/sql.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import type { FieldDefinition, FieldTypeName } from '../definitions/definition.ts'
import type { Field } from './field.ts'

/** How a literal for the field is written in a query; also the word that messages use. (docs/reference/api/queries.md#literals) */
export type LiteralKind = 'string' | 'id' | 'boolean' | 'int' | 'double' | 'date' | 'dateTime' | 'time'

/** Groups of query operators. (docs/reference/api/queries.md#operators) */
export type OperatorGroup = 'equality' | 'order' | 'like' | 'includes'

/** What GraphQL's types for a kind of values are named after: `CurrencyValue`, `CurrencyOperators`. (docs/reference/api/graphql.md#values) */
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

/** Everything that the platform knows about one type of field. There is no other place that asks for a type. */
export interface FieldType {
  readonly name: FieldTypeName
  readonly graphql: GraphqlKind
  /** `type` and `soapType` in a describe. */
  readonly describedAs: string
  readonly soapType: string
  /** Type of its column, with what belongs to it (`text collate "C"`); undefined for a compound field. */
  column(field: FieldDefinition): string | undefined
  /** Type of a parameter that is compared with the column. */
  readonly parameter: string
  /** How PostgreSQL keeps values that are too long for a row; absent: as it likes. */
  readonly storage?: 'external'
  /** What follows the type in its column definition, where that can never change: a key, an expression. */
  readonly constraint?: (field: Field) => string
  /** The database makes its values from other columns. */
  readonly generated?: boolean
  /** Its column's default as SQL; `sequence` is the counter's quoted name, if it has one. */
  readonly columnDefault?: (field: Field, sequence: string) => string
  /** Its values come from a counter in the database. */
  readonly counted?: boolean
  /** Never null: the platform fills it when nobody else does. */
  readonly alwaysFilled?: boolean
  /**
   * A value from the wire as it is stored. Null never comes here; null may come out (an empty text).
   * @throws WrongKind when it is not of this kind at all
   */
  coerce(value: unknown, field: Field): ColumnValue
  /**
   * Refuses a value that is of the right kind but not allowed.
   * @throws ApiError
   */
  validate?(value: Exclude<ColumnValue, null>, field: Field): void
  /**
   * A stored value as the wire shows it; absent when it is shown as stored.
   * `recordUrl` is that of the record: `/services/data/v64.0/sobjects/Attachment/00P...`
   */
  readonly read?: (value: Exclude<ColumnValue, null>, recordUrl: string, field: Field) => unknown
  /**
   * Its values are encrypted in the database: they are opened and shown by whoever reads rows, not by `read`. `mask` is
   * how one is shown to those who may not see it.
   */
  readonly encrypted?: { readonly mask: (text: string) => string }
  /** A compound field's value from those of its parts, in order. */
  readonly compose?: (parts: readonly unknown[]) => unknown
  /** What stands in a select list for the column; absent for the column itself. */
  readonly selected?: (column: Sql) => Sql
  /** The form in which values are compared, sorted and looked up; an index is made on it. Absent: as they are. */
  readonly comparable?: ((expression: Sql, field: Field) => Sql) | undefined
  readonly literal: LiteralKind
  readonly operators: readonly OperatorGroup[]
  readonly sortable: boolean
  readonly groupable: boolean
  readonly aggregatable: boolean
  /** The search finds words of its values, in this group of fields; absent: it does not look at them. */
  readonly searchedAs?: 'email' | 'phone' | 'text' | 'richText'
  facts?(field: FieldDefinition): TypeFacts
}

/** A value whose JSON kind does not fit; the write path adds where it stands in the body. (docs/reference/api/records.md#error-codes) */
export class WrongKind extends Error {
  /** The word of the message: `Cannot deserialize instance of <kind>`. */
  readonly kind: string
  constructor(kind: string) {
    super(`not a ${kind}`)
    this.kind = kind
  }
}
