import { ApiError } from '../../base/api-error.ts'
import type { Field } from './field.ts'

/**
 * The listed spelling of a value, which is found without case. A value that is not listed stays as it is; a
 * restricted picklist refuses it later.
 */
export function listedValue(value: string, field: Field): string {
  const wanted = value.toLowerCase()
  return field.picklist.find((entry) => entry.value.toLowerCase() === wanted)?.value ?? value
}

/** What a value is refused with that a restricted picklist does not have, or does not offer. */
export const refuseValue = (value: string, field: Field) =>
  new ApiError(
    'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
    `${field.label}: bad value for restricted picklist field: ${value.slice(0, 255)}`,
    { fields: [field.name] },
  )

export function validateListed(value: string, field: Field): void {
  if (field.definition.restricted !== true) return
  if (!field.picklist.some((entry) => entry.value === value && !entry.inactive))
    throw refuseValue(value, field)
}
