import { FIELD_INDEXES, SEARCH_INDEXES } from './build-indexes.ts'
import { ENCRYPTED_VALUES } from './encrypt-values.ts'
import type { UpgradeStep } from './upgrade-step.ts'
import { VALIDATED_KEYS } from './validate-keys.ts'

/** All steps in execution order. Add new ones here. */
export const UPGRADE_STEPS: readonly UpgradeStep[] = [
  VALIDATED_KEYS,
  FIELD_INDEXES,
  SEARCH_INDEXES,
  ENCRYPTED_VALUES,
]
