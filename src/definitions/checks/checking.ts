import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import type { ObjectFile } from '../formats/object-file.ts'

/** Maximum number of columns of an object, including the parts of its compound fields. */
export const MAX_COLUMNS = 800

/** Maximum number of records of a metadata type. They are a part of the schema. */
export const MAX_RECORDS = 2_000

/** A reference field and its object. */
interface Child {
  readonly object: ObjectDefinition
  readonly field: FieldDefinition
}

/** Names that must be unique in an org. */
export interface OrgNames {
  readonly keyPrefixes: ReadonlyMap<string, readonly ObjectDefinition[]>
  /** Reference fields by the names of their child relationships. */
  readonly children: ReadonlyMap<string, readonly Child[]>
}

/** An object to check, with all other objects and its definition file. */
export interface Checking {
  readonly object: ObjectDefinition
  /** Its fields by lower-case name; of two of the same name the first. */
  readonly fields: ReadonlyMap<string, FieldDefinition>
  readonly file: ObjectFile
  /** All objects after the deployment, by lower-case name. */
  readonly objects: ReadonlyMap<string, ObjectDefinition>
  readonly names: OrgNames
  readonly valueSets: ReadonlySet<string>
  /** The platform's definition of the object, if it is a standard object. */
  readonly standard: ObjectDefinition | undefined
}

/** True if two names are equal, ignoring case. */
export const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** The first field of each name, without case. */
export function byName(fields: readonly FieldDefinition[]): ReadonlyMap<string, FieldDefinition> {
  const named = new Map<string, FieldDefinition>()
  for (const field of fields) getOrInsert(named, field.name.toLowerCase(), () => field)
  return named
}

export const childKey = (target: string, children: string) => `${target} ${children}`.toLowerCase()

/** Collects the names of all objects, an object at a time. */
export function* collectNames(objects: readonly ObjectDefinition[]): Generator<void, OrgNames> {
  const keyPrefixes = new Map<string, ObjectDefinition[]>()
  const children = new Map<string, Child[]>()
  for (const object of objects) {
    getOrInsert(keyPrefixes, object.keyPrefix, () => []).push(object)
    for (const field of object.fields) {
      if (field.children === undefined) continue
      for (const target of field.to ?? []) {
        if (field.noChildrenOn?.includes(target)) continue
        getOrInsert(children, childKey(target, field.children), () => []).push({ object, field })
      }
    }
    yield
  }
  return { keyPrefixes, children }
}
