import type { SchemaChange } from '../../schema/change/deploy.ts'
import { encryptChangedFields } from './encrypt-changed-fields.ts'
import { sumUpChangedDetails } from './sum-up-details.ts'

/** Requests the background steps that follow from a deployment of definitions. */
export const followDeployment: NonNullable<SchemaChange['afterwards']> = async (tx, org, deployed) => {
  await encryptChangedFields(tx, org, deployed)
  await sumUpChangedDetails(tx, org, deployed)
}
