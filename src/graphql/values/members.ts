import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Field } from '../../schema/fields/field.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import type { ChildRelationship, ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { type ValueKind, valueKind } from './value-kind.ts'

/** What a name means that stands in a record's selection. (docs/reference/api/graphql.md#nodes) */
export type Member =
  | { readonly kind: 'id' | 'apiName' }
  /** When it was changed last, in milliseconds since 1970. */
  | { readonly kind: 'etag'; readonly field: Field | undefined }
  /** The name of the record, as a bare text. */
  | { readonly kind: 'display'; readonly field: Field | undefined }
  /** A field of all records that this object lacks is a wrapped null. */
  | { readonly kind: 'value'; readonly field: Field | undefined; readonly values: ValueKind }
  | { readonly kind: 'compound'; readonly field: Field; readonly type: 'Address' | 'Location' }
  | { readonly kind: 'parent'; readonly field: Field; readonly object: ObjectType }
  /** A parent of one of several objects. */
  | { readonly kind: 'anyParent'; readonly field: Field; readonly targets: readonly ObjectType[] }
  | { readonly kind: 'children'; readonly relationship: ChildRelationship; readonly object: ObjectType }

export type Members = ReadonlyMap<string, Member>

/** Fields that every record shows, wrapped. */
export const RECORD_FIELDS: Readonly<Record<string, ValueKind>> = {
  RecordTypeId: 'ID',
  CreatedById: 'ID',
  CreatedDate: 'DateTime',
  LastModifiedById: 'ID',
  LastModifiedDate: 'DateTime',
  SystemModstamp: 'DateTime',
}

function fieldMember(field: Field): Member {
  const { graphql } = field.type
  if (graphql === 'Address' || graphql === 'Location') return { kind: 'compound', field, type: graphql }
  return { kind: 'value', field, values: valueKind(field)! }
}

/** The record behind a reference, if anything that it may be is visible. */
function parentMember(field: Field, schema: SchemaSnapshot): Member | undefined {
  const targets = field.referenceTo.flatMap((name) => schema.object(name) ?? [])
  if (targets.length === 0) return undefined
  if (field.referenceTo.length === 1) return { kind: 'parent', field, object: targets[0]! }
  return { kind: 'anyParent', field, targets }
}

/** Of two things with one name the first is meant: a field, then a way up, then a way down. */
function makeMembers(object: ObjectType, schema: SchemaSnapshot): Members {
  const members = new Map<string, Member>()
  const add = (name: string | undefined, member: Member | undefined) => {
    if (name !== undefined && member !== undefined && !members.has(name)) members.set(name, member)
  }
  add('Id', { kind: 'id' })
  add('ApiName', { kind: 'apiName' })
  add('WeakEtag', { kind: 'etag', field: object.field('LastModifiedDate') ?? object.field('SystemModstamp') })
  add('DisplayValue', { kind: 'display', field: object.nameField })
  for (const field of object.fields) add(field.name, fieldMember(field))
  for (const [name, values] of Object.entries(RECORD_FIELDS))
    add(name, { kind: 'value', field: undefined, values })
  for (const field of object.fields) add(field.definition.relationship, parentMember(field, schema))
  for (const relationship of object.children) {
    const child = schema.object(relationship.childObject)
    add(relationship.name, child && { kind: 'children', relationship, object: child })
  }
  return members
}

const made = new WeakMap<SchemaSnapshot, Map<ObjectType, Members>>()

/** Everything that a record of an object can show to somebody, by name. */
export function membersOf(object: ObjectType, schema: SchemaSnapshot): Members {
  const known = getOrInsert(made, schema, () => new Map<ObjectType, Members>())
  return getOrInsert(known, object, () => makeMembers(object, schema))
}

/** What has its own conditions behind a reference to several objects: each of them, and what they share. */
export const branchesOf = (targets: readonly ObjectType[]): readonly ObjectType[] => [...targets, NAME_ENTITY]
