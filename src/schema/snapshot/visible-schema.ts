import { LRUCache } from 'lru-cache'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'
import type { Field } from '../fields/field.ts'
import type { CopiedField } from '../fields/field-definition.ts'
import { makeObjectType, type ObjectType } from '../objects/object-type.ts'
import { buildSnapshot, requireObject, type SchemaSnapshot } from './snapshot.ts'

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

/** The fields that a caller may read. What a field has of others, it has with their rights. */
class Sight {
  readonly #schema: SchemaSnapshot
  readonly #visibility: Visibility
  readonly #known = new Map<Field, boolean>()

  constructor(schema: SchemaSnapshot, visibility: Visibility) {
    this.#schema = schema
    this.#visibility = visibility
  }

  /**
   * True if the caller may read the field: itself, all parts of a compound one, that of the object in a history, and everything that it
   * follows from.
   * @param object visible to the caller
   */
  sees(object: ObjectType, field: Field): boolean {
    return field.system || getOrInsert(this.#known, field, () => this.#decide(object, field))
  }

  /** The fields of other records that the caller may read, of those that a field shows. */
  copies(object: ObjectType, { definition: { copyOf = [] } }: Field): readonly CopiedField[] {
    return copyOf.filter((one) => this.#reaches(object, one))
  }

  #decide(object: ObjectType, field: Field): boolean {
    const { derivedFrom = [], copyOf, namedBy, sumBelow, lastChange } = field.definition
    const historyOf = this.#schema.object(object.definition.historyOf ?? '')
    const shown = shownIn(field, historyOf)
    const sources = [
      ...derivedFrom,
      ...(sumBelow === undefined ? [] : [`${sumBelow.object}.${sumBelow.field}`]),
      ...(lastChange === undefined ? [] : [lastChange.field]),
    ]
    return (
      this.#visibility.seesField(object, field) &&
      (shown === undefined || this.sees(historyOf!, shown)) &&
      field.parts.every((part) => this.sees(object, part)) &&
      sources.every((source) => this.#seesNamed(object, source)) &&
      (copyOf === undefined || this.copies(object, field).length > 0) &&
      (namedBy === undefined || this.#reaches(object, namedBy))
    )
  }

  #seesNamed(object: ObjectType, path: string): boolean {
    const [name, other] = path.split('.').reverse() as [string, string?]
    const of = other === undefined ? object : requireObject(this.#schema, other)
    return this.#visibility.seesObject(of) && this.sees(of, of.field(name)!)
  }

  #reaches(object: ObjectType, { references, field }: CopiedField): boolean {
    const names = [object.name, ...references.map(({ to }) => to)]
    const paths = [...references.map(({ name }) => name), field].map(
      (name, index) => `${names[index]}.${name}`,
    )
    return paths.every((path) => this.#seesNamed(object, path))
  }
}

/** The field without what it would show of others that the caller may not read. */
function withoutHidden(object: ObjectType, field: Field, sight: Sight): Field {
  const { definition } = field
  const copyOf = sight.copies(object, field)
  if (copyOf.length === (definition.copyOf ?? []).length) return field
  return Object.freeze({ ...field, definition: { ...definition, copyOf } })
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

const narrowedOf = oncePer<SchemaSnapshot, LRUCache<string, SchemaSnapshot>>(
  () => new LRUCache({ max: MAX_CACHED }),
)

/**
 * The part of a schema that a caller may read, as a schema of its own: invisible objects and fields do not exist in it,
 * and what the caller may not write is read-only. Plans, describes and writes are made from it. Cached by key as long
 * as the full schema lives.
 */
export function visibleSchema(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  return getOrInsert<string, SchemaSnapshot>(narrowedOf(schema), visibility.key, () =>
    narrow(schema, visibility),
  )
}

function narrow(schema: SchemaSnapshot, visibility: Visibility): SchemaSnapshot {
  const objects = schema.objects.filter((object) => visibility.seesObject(object))
  const sight = new Sight(schema, visibility)
  const fields = new Map(
    objects.map((object) => {
      const seen = object.fields.filter((field) => sight.sees(object, field))
      const narrow = (field: Field) => narrowField(object, withoutHidden(object, field, sight), visibility)
      return [object.name, seen.map(narrow)]
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
