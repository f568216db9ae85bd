import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'
import type { Field } from '../fields/field.ts'
import { makeObjectType, type ObjectType } from '../objects/object-type.ts'
import { buildSnapshot, type SchemaSnapshot } from './snapshot.ts'

/** Operations on the records of a visible object. */
export type ObjectAbility = 'createable' | 'updateable' | 'deletable'

/** The parts of an org's schema that a caller may read and write. */
export interface Visibility {
  /** Identifies the set of objects, fields and abilities: within one snapshot equal keys mean equal sets. */
  readonly key: string
  seesObject(object: ObjectType): boolean
  /** Called for visible objects only. */
  may(object: ObjectType, ability: ObjectAbility): boolean
  /** Called for fields of visible objects only, except system fields, which are always visible. */
  seesField(object: ObjectType, field: Field): boolean
  /** Called for visible fields only. */
  writesField(object: ObjectType, field: Field): boolean
}

/** The field whose values a history shows in another one: `Amount` in `PrevAmount`. */
const shownIn = ({ name }: Field, historyOf: ObjectType | undefined) =>
  historyOf?.field(name.replace(/^Prev/, ''))

/**
 * A compound field is visible only if all of its parts are, and one of a history if that of its object is.
 * @param historyOf the object whose history this is
 */
function isVisible(
  object: ObjectType,
  field: Field,
  historyOf: ObjectType | undefined,
  visibility: Visibility,
): boolean {
  if (field.system) return true
  const shown = shownIn(field, historyOf)
  if (shown !== undefined && !visibility.seesField(historyOf!, shown)) return false
  return (
    visibility.seesField(object, field) && field.parts.every((part) => visibility.seesField(object, part))
  )
}

/** The field, read-only if the caller may not write it. */
function narrowField(object: ObjectType, field: Field, visibility: Visibility): Field {
  const isWritable = field.createable || field.updateable
  if (!isWritable || visibility.writesField(object, field)) return field
  return Object.freeze({ ...field, createable: false, updateable: false })
}

/** The definition, with the operations that the caller may not use switched off. */
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

/** Maximum number of cached visible schemas per snapshot. */
const MAX_CACHED = 200

const narrowed = new WeakMap<SchemaSnapshot, LRUCache<string, SchemaSnapshot>>()

/**
 * The part of a schema that a caller may read, as a schema of its own: invisible objects and fields do not exist in it,
 * and what the caller may not write is read-only. Plans, describes and writes are made from it. Cached by key as long
 * as the full schema lives.
 */
export function visibleSchema(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  const known = getOrInsert(narrowed, schema, () => new LRUCache<string, SchemaSnapshot>({ max: MAX_CACHED }))
  return getOrInsert<string, SchemaSnapshot>(known, visibility.key, () => narrow(schema, visibility))
}

function narrow(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  const objects = schema.objects.filter((object) => visibility.seesObject(object))
  const fields = new Map(
    objects.map((object) => {
      const { historyOf = '' } = object.definition
      const fields = object.fields.filter((field) =>
        isVisible(object, field, schema.object(historyOf), visibility),
      )
      return [object.name, fields.map((field) => narrowField(object, field, visibility))]
    }),
  )
  return buildSnapshot(
    schema.version,
    schema.changedAt,
    objects.map((object) => {
      const children = object.children.flatMap((child) => {
        const field = fields.get(child.childObject)?.find(({ name }) => name === child.field.name)
        return field === undefined ? [] : [{ ...child, field }]
      })
      const definition = narrowDefinition(object, visibility)
      return makeObjectType(
        definition,
        fields.get(object.name)!,
        children,
        object.validations,
        object.masterRollUps,
        object,
      )
    }),
  )
}
