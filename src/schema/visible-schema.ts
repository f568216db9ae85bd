import { getOrInsert } from '../base/get-or-insert.ts'
import type { Field } from './field.ts'
import { makeObjectType, type ObjectType } from './object-type.ts'
import { type SchemaSnapshot, snapshotOf } from './snapshot.ts'

/** What of an org's schema somebody may read. */
export interface Visibility {
  /** Names this set of objects and fields: within one snapshot the same key means the same set. */
  readonly key: string
  seesObject(object: ObjectType): boolean
  /** Asked for fields of visible objects only, and not for system fields, which everybody sees. */
  seesField(object: ObjectType, field: Field): boolean
}

/** A compound value shows all of its parts or nothing. */
function isVisible(object: ObjectType, field: Field, visibility: Visibility): boolean {
  if (field.system) return true
  return (
    visibility.seesField(object, field) && field.parts.every((part) => visibility.seesField(object, part))
  )
}

const narrowed = new WeakMap<SchemaSnapshot, Map<string, SchemaSnapshot>>()

/**
 * The part of a schema that somebody may read, as a schema of its own: what is not visible does not exist in it, for
 * whatever is made from it (plans, describes). It lives as long as the whole one, one for each key.
 */
export function visibleSchema(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  const known = getOrInsert(narrowed, schema, () => new Map<string, SchemaSnapshot>())
  return getOrInsert(known, visibility.key, () => narrow(schema, visibility))
}

function narrow(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  const objects = schema.objects.filter((object) => visibility.seesObject(object))
  const fields = new Map(
    objects.map((object) => [
      object.name,
      object.fields.filter((field) => isVisible(object, field, visibility)),
    ]),
  )
  return snapshotOf(
    schema.version,
    schema.changedAt,
    objects.map((object) => {
      const children = object.children.filter(({ childObject, field }) =>
        fields.get(childObject)?.includes(field),
      )
      return makeObjectType(object.definition, fields.get(object.name)!, children, object)
    }),
  )
}
