import type { Deployed, SchemaChange } from '../../schema/change/deploy.ts'
import { SEARCH_INDEXES } from './build-search-indexes.ts'
import { ENCRYPTED_VALUES } from './encrypt-values.ts'
import { requestStep } from './step-store.ts'
import { ROLL_UPS, sumsUp } from './sum-up-details.ts'

/** True if a field was changed to an encrypted one, or was added with a default: it has plain values. */
const hasPlainValues = ({ schema, steps }: Deployed): boolean =>
  steps.some(
    ({ object, field }) =>
      field !== undefined && schema.object(object)?.field(field)?.type.encrypted !== undefined,
  )

/** True if there is a new roll-up, or one whose sources changed. */
const hasOldSums = ({ schema, steps }: Deployed): boolean =>
  steps.some(({ object: name, field }) => {
    const object = schema.object(name)
    return object !== undefined && field !== undefined && (sumsUp(object) || object.masterRollUps.length > 0)
  })

/** Requests the background steps that follow from a deployment of definitions. */
export const followDeployment: NonNullable<SchemaChange['afterwards']> = async (tx, org, deployed) => {
  if (hasPlainValues(deployed)) await requestStep(tx, org, ENCRYPTED_VALUES)
  if (hasOldSums(deployed)) await requestStep(tx, org, ROLL_UPS)
  if (deployed.lacksSearchIndexes) await requestStep(tx, org, SEARCH_INDEXES)
}
