import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'
import type { Field } from '../fields/field.ts'
import { makeObjectType, type ObjectType } from '../objects/object-type.ts'
import { type SchemaSnapshot, snapshotOf } from './snapshot.ts'

/** What somebody may do with the fields of an object that he may read. */
export type ObjectAbility = 'createable' | 'updateable' | 'deletable'

/** What of an org's schema somebody may read and write. */
export interface Visibility {
  /** Names this set of objects, fields and abilities: within one snapshot the same key means the same set. */
  readonly key: string
  seesObject(object: ObjectType): boolean
  /** Asked for visible objects only. */
  may(object: ObjectType, ability: ObjectAbility): boolean
  /** Asked for fields of visible objects only, and not for system fields, which everybody sees. */
  seesField(object: ObjectType, field: Field): boolean
  /** Asked for visible fields only. */
  writesField(object: ObjectType, field: Field): boolean
}

/** A compound value shows all of its parts or nothing. */
function isVisible(object: ObjectType, field: Field, visibility: Visibility): boolean {
  if (field.system) return true
  return (
    visibility.seesField(object, field) && field.parts.every((part) => visibility.seesField(object, part))
  )
}

/** A field that may be read only. */
function narrowField(object: ObjectType, field: Field, visibility: Visibility): Field {
  const isWritable = field.createable || field.updateable
  if (!isWritable || visibility.writesField(object, field)) return field
  return Object.freeze({ ...field, createable: false, updateable: false })
}

/** What a definition leaves open, as far as somebody may use it. */
function narrowDefinition(object: ObjectType, visibility: Visibility): ObjectDefinition {
  const { definition } = object
  const may = (ability: ObjectAbility) => definition[ability] !== false && visibility.may(object, ability)
  return {
    ...definition,
    createable: may('createable'),
    updateable: may('updateable'),
    deletable: may('deletable'),
  }
}

/** How many different sets of one schema are kept. */
const MAX_KEPT = 200

const narrowed = new WeakMap<SchemaSnapshot, LRUCache<string, SchemaSnapshot>>()

/**
 * The part of a schema that somebody may read, as a schema of its own: what is not visible does not exist in it, and
 * what may not be written is not writable in it, for whatever is made from it (plans, describes, writes). It lives as long as the whole one, one for each key.
 */
export function visibleSchema(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  const known = getOrInsert(narrowed, schema, () => new LRUCache<string, SchemaSnapshot>({ max: MAX_KEPT }))
  return getOrInsert<string, SchemaSnapshot>(known, visibility.key, () => narrow(schema, visibility))
}

function narrow(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  const objects = schema.objects.filter((object) => visibility.seesObject(object))
  const fields = new Map(
    objects.map((object) => [
      object.name,
      object.fields
        .filter((field) => isVisible(object, field, visibility))
        .map((field) => narrowField(object, field, visibility)),
    ]),
  )
  return snapshotOf(
    schema.version,
    schema.changedAt,
    objects.map((object) => {
      const children = object.children.flatMap((child) => {
        const field = fields.get(child.childObject)?.find(({ name }) => name === child.field.name)
        return field === undefined ? [] : [{ ...child, field }]
      })
      const definition = narrowDefinition(object, visibility)
      return makeObjectType(definition, fields.get(object.name)!, children, object)
    }),
  )
}
