import type { SchemaChange } from '../../schema/change/deploy.ts'
import { ENCRYPTED_VALUES } from './encrypt-values.ts'
import { requestStep } from './step-store.ts'

/**
 * Runs after every deployment of definitions. A field that was changed to an encrypted one, or was added with a
 * default, has plain values. A background step encrypts them.
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
  if (isAffected) await requestStep(tx, org, ENCRYPTED_VALUES)
}
