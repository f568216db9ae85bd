import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { membersOf } from '../values/members.ts'
import type { ValueKind } from '../values/value-kind.ts'
import { SUMMARIES } from './summaries.ts'

/** What a name means where records are summed up: a field of theirs, or the way to their parent. (docs/reference/api/graphql.md#aggregates) */
export type AggregateMember =
  | { readonly kind: 'field'; readonly field: Field; readonly values: ValueKind }
  | { readonly kind: 'parent'; readonly field: Field; readonly object: ObjectType }

type AggregateMembers = ReadonlyMap<string, AggregateMember>

/** Parents of one object only: one of several has no fields that all of them have. */
function makeMembers(object: ObjectType, schema: SchemaSnapshot): AggregateMembers {
  const members = new Map<string, AggregateMember>()
  for (const [name, member] of membersOf(object, schema)) {
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

const made = new WeakMap<SchemaSnapshot, Map<ObjectType, AggregateMembers>>()

/** Everything of an object's records that can be grouped by, summed up or sorted by for somebody, by name. */
export function aggregateMembersOf(object: ObjectType, schema: SchemaSnapshot): AggregateMembers {
  const known = getOrInsert(made, schema, () => new Map<ObjectType, AggregateMembers>())
  return getOrInsert(known, object, () => makeMembers(object, schema))
}
