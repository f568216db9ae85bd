/** Choices of an org for its new records; null where it has made none. */
export interface OrgDefaults {
  /** The id of the default business hours. */
  readonly businessHours: string | null
  readonly timeZone: string | null
}
