/** What an org has chosen for its new records; null: nothing. */
export interface OrgDefaults {
  /** The id of the default business hours. */
  readonly businessHours: string | null
  readonly timeZone: string | null
}
