import { NO_ROWS, type ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { onlyId } from './check-characters.sql.ts'
import { makeViewObject } from './view-object.ts'

/** An object of which no org has records. */
export const makeEmpty = (
  name: string,
  label: string,
  keyPrefix: string,
  fields: readonly FieldDefinition[],
  labelPlural = `${label}s`,
): ObjectDefinition =>
  makeViewObject({ name, label, labelPlural, keyPrefix, description: 'Has no records here.' }, fields, {
    ...NO_ROWS,
    columns: { id: onlyId(keyPrefix) },
  })
