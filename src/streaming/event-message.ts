import { createHash } from 'node:crypto'
import { oncePer } from '../base/get-or-insert.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'

/** What a subscriber gets of an event. (docs/reference/api/streaming.md) */
export interface EventMessage {
  /** The object that it is of. */
  readonly object: string
  readonly position: number
  /** True if it came before, with another position. */
  readonly isCopy: boolean
  readonly data: {
    /** Id of the form of the payload: another one when the fields of the object change. */
    readonly schema: string
    readonly payload: Readonly<Record<string, unknown>>
    readonly event: { readonly replayId: number; readonly EventUuid?: string }
  }
}

/** 16 bytes as base64 for addresses, without padding. */
export const schemaOf = oncePer(({ name, fields }: ObjectType): string => {
  const form = JSON.stringify([name, fields.map((field) => [field.name, field.type.describedAs])])
  return createHash('sha256').update(form).digest().subarray(0, 16).toString('base64url')
})
