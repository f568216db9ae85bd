import type { Field } from './field.ts'
import type { ObjectType } from './object-type.ts'

/** Names where a value stands within an org. An encrypted one is bound to it. */
export const valuePlace = (
  { table }: Pick<ObjectType, 'table'>,
  { column }: Pick<Field, 'column'>,
  recordId: string,
): string => `${table}.${column}:${recordId}`
