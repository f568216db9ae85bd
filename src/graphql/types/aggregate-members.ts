import { oncePer } from '../../base/get-or-insert.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { getMembers } from '../values/members.ts'
import type { ValueKind } from '../values/value-kind.ts'
import { SUMMARIES } from './summaries.ts'

/** A member of an aggregate: a field, or a parent. (docs/reference/api/graphql.md#aggregates) */
export type AggregateMember =
  | { readonly kind: 'field'; readonly field: Field; readonly values: ValueKind }
  | { readonly kind: 'parent'; readonly field: Field; readonly object: ObjectType }

type AggregateMembers = ReadonlyMap<string, AggregateMember>

/** Leaves polymorphic references out: their objects have different fields. */
function makeMembers(object: ObjectType, schema: SchemaSnapshot): AggregateMembers {
  const members = new Map<string, AggregateMember>()
  for (const [name, member] of getMembers(object, schema)) {
    if (member.kind === 'id') {
      members.set(name, { kind: 'field', field: object.field('Id')!, values: 'ID' })
    } else if (member.kind === 'parent') {
      members.set(name, member)
    } else if (member.kind === 'value' && member.field !== undefined && SUMMARIES[member.values]) {
      members.set(name, { kind: 'field', field: member.field, values: member.values })
    }
  }
  return members
}

const membersIn = oncePer((schema: SchemaSnapshot) =>
  oncePer((object: ObjectType) => makeMembers(object, schema)),
)

/** All members of an object that the user may group by, aggregate or sort by, by name. */
export const getAggregateMembers = (object: ObjectType, schema: SchemaSnapshot): AggregateMembers =>
  membersIn(schema)(object)
