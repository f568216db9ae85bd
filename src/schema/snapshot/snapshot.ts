import { getOrInsert } from '../../base/get-or-insert.ts'
import { drain } from '../../base/run-in-slices.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'
import type { Field } from '../fields/field.ts'
import { FIELD_TYPES } from '../fields/registry.ts'
import type { FindObject } from '../formulas/bind.ts'
import { ComputedFormula } from '../formulas/field-formula.sql.ts'
import { LazyFormula } from '../formulas/lazy-formula.ts'
import { RollUp } from '../formulas/roll-up.ts'
import {
  type ChildRelationship,
  type CustomTargets,
  type FormulaMakers,
  type MasterRollUp,
  makeFields,
  makeObjectType,
  type ObjectType,
} from '../objects/object-type.ts'

/** Makes the formulas of a schema, whose objects are found by name once all of them are there. */
const makeFormulas = (findObject: FindObject): FormulaMakers => ({
  ofField: (object, definition) => new ComputedFormula(object, definition, findObject),
  ofRollUp: (object, definition) => new RollUp(object, definition, findObject),
  // A picklist takes a text.
  ofDefault(object, { type, defaultFormula }) {
    const known = FIELD_TYPES[type].formula?.type ?? 'Text'
    const result = known === 'Picklist' || known === 'MultiPicklist' ? 'Text' : known
    return new LazyFormula(
      { object, text: defaultFormula!, place: 'default', result, zero: false },
      findObject,
    )
  },
  ofRule: (object, { condition }) =>
    new LazyFormula({ object, text: condition, place: 'rule', result: 'Boolean', zero: false }, findObject),
})

/**
 * All of an org's metadata at one version, frozen. A call uses one snapshot from start to end. Derived data (plans,
 * describes, statements) is cached in WeakMaps keyed by the snapshot.
 */
export interface SchemaSnapshot {
  readonly version: number
  /** When the metadata last changed. */
  readonly changedAt: Date
  /** Sorted by name. */
  readonly objects: readonly ObjectType[]
  /** Those of the objects whose records are rows of a table, and not of a view. */
  readonly storedObjects: readonly ObjectType[]
  /** By name without case. */
  object(name: string): ObjectType | undefined
  /** The object whose records have ids with this prefix. */
  objectOfId(id: string): ObjectType | undefined
}

/** The objects of an org that tasks, events, attachments, notes and files may belong to, beside the standard ones. */
const findCustomTargets = (definitions: readonly ObjectDefinition[]): CustomTargets => ({
  all: definitions
    .filter(({ name, setting }) => name.endsWith('__c') && setting === undefined)
    .map(({ name }) => name),
  activities: definitions.filter(({ activities }) => activities === true).map(({ name }) => name),
})

/** Makes the objects of an org, one at a time, sorted by name. Nothing else of the org is in them. */
export function* makeObjectsInSlices(
  given: readonly ObjectDefinition[],
): Generator<void, readonly ObjectType[]> {
  // Makes the order of child relationships independent of the order of the definitions.
  const definitions = [...given].sort((a, b) => (a.name < b.name ? -1 : 1))
  const custom = findCustomTargets(definitions)
  const fields = new Map<string, Field[]>()
  const byName = new Map<string, ObjectType>()
  const formulas = makeFormulas((name) => byName.get(name.toLowerCase()))
  for (const definition of definitions) {
    fields.set(definition.name, makeFields(definition, custom, formulas))
    yield
  }
  const children = new Map<string, ChildRelationship[]>(definitions.map(({ name }) => [name, []]))
  for (const { name, view } of definitions) {
    for (const field of fields.get(name)!) {
      const { definition } = field
      for (const target of field.referenceTo) {
        children.get(target)?.push({
          name: definition.noChildrenOn?.includes(target) ? undefined : definition.children,
          childObject: name,
          field,
          stored: view === undefined && field.column !== undefined,
          onDelete: definition.masterDetail === undefined ? (definition.onDelete ?? 'clear') : 'cascade',
        })
      }
    }
    yield
  }
  const rollUps = new Map<string, MasterRollUp[]>()
  for (const [master, listed] of fields)
    for (const field of listed) {
      const { rollUp } = field
      if (rollUp === undefined) continue
      const key = rollUp.definition.object.toLowerCase()
      getOrInsert(rollUps, key, () => []).push({ master, field, rollUp })
    }
  const objects: ObjectType[] = []
  for (const definition of definitions) {
    const { name, validations = [] } = definition
    const rules = validations.map((rule) => ({ rule, formula: formulas.ofRule(name, rule) }))
    const summedUp = rollUps.get(name.toLowerCase()) ?? []
    const object = makeObjectType(definition, fields.get(name)!, children.get(name)!, rules, summedUp)
    byName.set(object.name.toLowerCase(), object)
    objects.push(object)
    yield
  }
  return objects
}

/** Makes the snapshot of an org, an object at a time. */
export function* makeSnapshotInSlices(
  version: number,
  changedAt: Date,
  definitions: readonly ObjectDefinition[],
): Generator<void, SchemaSnapshot> {
  return buildSnapshot(version, changedAt, yield* makeObjectsInSlices(definitions))
}

/** The same without a pause. */
export const makeSnapshot = (
  version: number,
  changedAt: Date,
  definitions: readonly ObjectDefinition[],
): SchemaSnapshot => drain(makeSnapshotInSlices(version, changedAt, definitions))

/** @param objects sorted by name */
export function buildSnapshot(
  version: number,
  changedAt: Date,
  objects: readonly ObjectType[],
): SchemaSnapshot {
  const byName = new Map(objects.map((object) => [object.name.toLowerCase(), object]))
  const byPrefix = new Map(objects.map((object) => [object.keyPrefix, object]))
  return Object.freeze({
    version,
    changedAt,
    objects,
    storedObjects: objects.filter(({ definition }) => definition.view === undefined),
    object: (name: string) => byName.get(name.toLowerCase()),
    objectOfId: (id: string) => byPrefix.get(id.slice(0, 3)),
  })
}

/** The object by name in a snapshot that must have it: for standard objects. */
export function requireObject(schema: SchemaSnapshot, name: string): ObjectType {
  const object = schema.object(name)
  if (object === undefined) throw new Error(`the schema has no object ${name}`)
  return object
}
