import type { Field } from '../fields/field.ts'
import type { ObjectType } from './object-type.ts'

/** Identifies the location of a value within an org. Encryption binds a value to it. */
export const valueLocation = (
  { table }: Pick<ObjectType, 'table'>,
  { column }: Pick<Field, 'column'>,
  recordId: string,
): string => `${table}.${column}:${recordId}`
