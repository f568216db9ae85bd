/** A tenant: one PostgreSQL schema that holds all its tables and its metadata. */
export interface Org {
  /** 18-character id that starts with 00D. */
  readonly id: string
  /** Name of its PostgreSQL schema, for example `org_1`. */
  readonly schemaName: string
  readonly name: string
}
