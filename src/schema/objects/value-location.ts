import type { Field } from '../fields/field.ts'
import type { ObjectType } from './object-type.ts'

/** Names where a value stands within an org. An encrypted one is bound to it. */
export const valueLocation = (
  { table }: Pick<ObjectType, 'table'>,
  { column }: Pick<Field, 'column'>,
  recordId: string,
): string => `${table}.${column}:${recordId}`
