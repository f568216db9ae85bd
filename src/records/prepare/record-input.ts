import { ApiError } from '../../base/api-error.ts'
import type { Location } from '../../base/json-reader.ts'

/** One record as the client sent it. */
export interface RecordInput {
  readonly members: Readonly<Record<string, unknown>>
  /** The location of a member's value in the request body. */
  readonly locate: (path: readonly (string | number)[]) => Location
  /** The error for a value of the wrong kind, where the input is no JSON. */
  readonly refuseKind?: (kind: string, value: unknown, path: readonly (string | number)[]) => ApiError
}

/** How a record is given: where its members stand, or how their errors tell it. */
export type InputPlace = Pick<RecordInput, 'locate' | 'refuseKind'>

const LOCATION = { line: 1, column: 1 }

/** Rows of files have no places in a JSON text that their author knows; their errors name the field. */
export const FILE_ROW: InputPlace = {
  locate: () => LOCATION,
  refuseKind: (kind, value, path) =>
    new ApiError(
      'INVALID_TYPE_ON_FIELD_IN_RECORD',
      `value not of required type ${kind}: ${String(value).slice(0, 255)}`,
      { fields: path.slice(0, 1).map(String) },
    ),
}

/** An upsert becomes a create or an update once its key has been looked up. */
export type Purpose = 'create' | 'update' | 'upsert'
