/** A tenant: one PostgreSQL schema that holds all its tables and its metadata. */
export interface Org {
  /** 18-character id that starts with 00D. */
  readonly id: string
  /** Name of its PostgreSQL schema, for example `org_1`. */
  readonly schemaName: string
  readonly name: string
}

/** Choices of an org for its new records; null where it has made none. */
export interface OrgDefaults {
  /** The id of the default business hours. */
  readonly businessHours: string | null
  readonly timeZone: string | null
}
