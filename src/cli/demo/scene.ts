import type { Faker } from '@faker-js/faker'

/** Context of all sample records: the current day, and the org's existing data. */
export interface Scene {
  /** Closed things lie before this day, open ones after it: `2026-03-01`. */
  readonly today: string
  /** Users who may own records. */
  readonly owners: readonly string[]
  /** Id of the standard price book. */
  readonly pricebook: string
  /** One of the values that the org offers in a picklist; null where it offers none. */
  pick(random: Faker, object: string, field: string): string | null
}
