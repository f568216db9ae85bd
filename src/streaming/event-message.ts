import { createHash } from 'node:crypto'
import { oncePer } from '../base/get-or-insert.ts'
import type { ObjectType } from '../schema/objects/object-type.ts'

/** What a subscriber gets of an event. (docs/reference/api/streaming.md) */
export interface EventMessage {
  /** The object that it is of; the id of a PushTopic or generic channel. */
  readonly object: string
  readonly position: number
  readonly data: {
    /** Of a change and a platform event: id of the form of the payload: another one when the fields of the object change. */
    readonly schema?: string
    readonly payload?: Readonly<Record<string, unknown>> | string
    readonly sobject?: Readonly<Record<string, unknown>>
    readonly event: {
      readonly replayId: number
      readonly EventUuid?: string
      readonly createdDate?: string
      readonly type?: string
    }
  }
}

/** 16 bytes as base64 for addresses, without padding. */
export const schemaOf = oncePer(({ name, fields }: ObjectType): string => {
  const form = JSON.stringify([name, fields.map((field) => [field.name, field.type.describedAs])])
  return createHash('sha256').update(form).digest().subarray(0, 16).toString('base64url')
})
