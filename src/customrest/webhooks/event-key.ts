import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Webhook } from '../resources/webhook.ts'

/** The external id field that holds the ids of events. @throws Error that says what to write */
export function eventKey(object: ObjectType, { key: name }: Webhook): Field {
  const keys = object.fields.filter((field) => field.definition.externalId === true)
  const named = name === undefined ? undefined : object.field(name)
  if (named !== undefined && keys.includes(named)) return named
  if (name === undefined && keys.length === 1) return keys[0]!
  const there = keys.map((field) => field.name).join(', ') || 'none'
  throw new Error(
    name === undefined
      ? `${object.name} must have one external id field for the event id, or the receiver says which: key. It has ${there}`
      : `${name} is no external id field of ${object.name}. It has ${there}`,
  )
}
