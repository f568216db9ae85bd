import { oncePer } from '../../base/get-or-insert.ts'
import type { Field } from '../../schema/fields/field.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import type { ChildRelationship, ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { getValueKind, type ValueKind } from './value-kind.ts'

/** A member of a record's selection. (docs/reference/api/graphql.md#nodes) */
export type Member =
  | { readonly kind: 'id' | 'apiName' }
  /** Time of the last change, in milliseconds since 1970. */
  | { readonly kind: 'etag'; readonly field: Field | undefined }
  /** The name of the record, as a bare text. */
  | { readonly kind: 'display'; readonly field: Field | undefined }
  /** Without a field: a common field that this object lacks, a wrapped null. */
  | { readonly kind: 'value'; readonly field: Field | undefined; readonly values: ValueKind }
  | { readonly kind: 'compound'; readonly field: Field; readonly type: 'Address' | 'Location' }
  | { readonly kind: 'parent'; readonly field: Field; readonly object: ObjectType }
  /** A parent of one of several objects. */
  | { readonly kind: 'anyParent'; readonly field: Field; readonly targets: readonly ObjectType[] }
  | { readonly kind: 'children'; readonly relationship: ChildRelationship; readonly object: ObjectType }

export type Members = ReadonlyMap<string, Member>

/** Fields that every record has, wrapped. */
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
  return { kind: 'value', field, values: getValueKind(field)! }
}

/** The parent behind a reference; undefined if none of its objects is visible. */
function parentMember(field: Field, schema: SchemaSnapshot): Member | undefined {
  const targets = field.referenceTo.flatMap((name) => schema.object(name) ?? [])
  if (targets.length === 0) return undefined
  if (field.referenceTo.length === 1) return { kind: 'parent', field, object: targets[0]! }
  return { kind: 'anyParent', field, targets }
}

/** Fields take precedence over parents, and parents over children of the same name. */
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

const membersIn = oncePer((schema: SchemaSnapshot) =>
  oncePer((object: ObjectType) => makeMembers(object, schema)),
)

/** All members of an object's records that the user can see, by name. */
export const getMembers = (object: ObjectType, schema: SchemaSnapshot): Members => membersIn(schema)(object)

/** The branches of a polymorphic reference: its objects, and the Name entity. */
export const getBranches = (targets: readonly ObjectType[]): readonly ObjectType[] => [
  ...targets,
  NAME_ENTITY,
]
