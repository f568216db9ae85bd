import { FIELD_TYPE_NAMES, FIELD_TYPES, type FieldTypeName } from '../../schema/fields/registry.ts'

/** The names of the types that fields in definition files may have. */
export const FILE_FIELD_TYPES = FIELD_TYPE_NAMES.filter((name) => FIELD_TYPES[name].file !== undefined)

export const isFileFieldType = (name: unknown): name is FieldTypeName =>
  (FILE_FIELD_TYPES as readonly unknown[]).includes(name)
