import type { FieldType } from '../../schema/fields/field-type.ts'
import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import type { DescribedField } from './described-object.ts'

/** The field type of a described field; undefined when there is none. */
export const findFieldType = (field: DescribedField): FieldType | undefined =>
  Object.values(FIELD_TYPES).find(
    ({ file, isDescribedBy, describedAs }) =>
      file !== undefined && (isDescribedBy?.(field) ?? describedAs === field.type),
  )
