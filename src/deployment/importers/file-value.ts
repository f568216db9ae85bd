import type { FieldFile } from '../definitions/field-file.ts'

/** A value of a picklist as a definition file says it, when it says more than the bare text. */
export type FileValue = Exclude<NonNullable<FieldFile['values']>[number], string>
