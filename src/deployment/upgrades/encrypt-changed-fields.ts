import type { SchemaChange } from '../../schema/change/deploy.ts'
import { ENCRYPTED_VALUES } from './encrypt-values.ts'
import { askForStep } from './step-store.ts'

/**
 * Belongs to every deployment of definitions: a field that becomes an encrypted one, or comes with a default, has values
 * that are still plain. The background encrypts them.
 */
export const encryptChangedFields: NonNullable<SchemaChange['afterwards']> = async (
  tx,
  org,
  { schema, steps },
) => {
  const isAffected = steps.some(
    ({ object, field }) =>
      field !== undefined && schema.object(object)?.field(field)?.type.encrypted !== undefined,
  )
  if (isAffected) await askForStep(tx, org, ENCRYPTED_VALUES)
}
