import type { FieldFile } from '../definitions/formats/field-file.ts'

/** A picklist value in a definition file that has more properties than its text. */
export type FileValue = Exclude<NonNullable<FieldFile['values']>[number], string>
