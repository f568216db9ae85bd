import { type Field, isStored } from './field.ts'

const NOT_TOLD: ReadonlySet<string> = new Set(['Id', 'IsDeleted', 'SystemModstamp'])

/** True if change events tell of the field: not of what others compute, and not of bytes. (docs/reference/api/streaming.md#change-events) */
export const isTold = (field: Field): boolean =>
  isStored(field) &&
  field.formula === undefined &&
  field.type.holdsBytes !== true &&
  !NOT_TOLD.has(field.name)

/** Encrypted values are in no log: it is told that they changed. */
export const mayShow = ({ type }: Field): boolean => type.encrypted === undefined

/** The fields that change events tell of. A stored compound name is told by its parts. */
export function listTold(fields: readonly Field[]): readonly Field[] {
  const compounds = new Set(fields.map(({ definition }) => definition.compound))
  return fields.filter((field) => isTold(field) && !compounds.has(field.name))
}
