import { ApiError } from '../../base/api-error.ts'
import type { Field } from './field.ts'
import { WrongKind } from './field-type.ts'

/** Why a value of a definition file is not valid for its field; undefined when it is. An empty text is valid. */
export function findValueProblem(field: Field, value: unknown): string | undefined {
  try {
    const stored = field.type.coerce(value, field)
    if (stored !== null) field.type.validate?.(stored, field)
    return undefined
  } catch (error) {
    if (error instanceof WrongKind) return `${JSON.stringify(value)} is not a valid ${error.kind}`
    if (error instanceof ApiError) return error.message
    throw error
  }
}
