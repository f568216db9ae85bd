import { FIELD_INDEXES } from './build-field-indexes.ts'
import { SEARCH_INDEXES } from './build-search-indexes.ts'
import { DERIVED_VALUES } from './derive-stored-values.ts'
import { ENCRYPTED_VALUES } from './encrypt-values.ts'
import { ROLL_UPS } from './sum-up-details.ts'
import type { UpgradeStep } from './upgrade-step.ts'

/** All steps in execution order. Add new ones here. */
export const UPGRADE_STEPS: readonly UpgradeStep[] = [
  FIELD_INDEXES,
  SEARCH_INDEXES,
  ENCRYPTED_VALUES,
  DERIVED_VALUES,
  ROLL_UPS,
]
