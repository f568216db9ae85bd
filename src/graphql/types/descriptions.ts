import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { getMembers, type Member } from '../values/members.ts'
import { FIELD_TEXTS, SHARED_TYPE_TEXTS } from './description-texts.ts'
import type { OrgTypes, TypeKind } from './org-types.ts'

/** Descriptions for tools that show the schema. Only the full schema, which introspections read, has them. */

const KIND_TEXTS: Readonly<Record<TypeKind, (object: ObjectType) => string>> = {
  node: ({ definition }) => definition.label,
  connection: ({ definition }) => `A page of ${definition.labelPlural}.`,
  edge: ({ definition }) => `One of a page of ${definition.labelPlural}.`,
  filter: ({ definition }) => `Conditions on ${definition.labelPlural}. All members have to hold.`,
  order: ({ definition }) => `The order of ${definition.labelPlural}: by the members, the first one first.`,
  createInput: ({ definition }) => `A new ${definition.label}.`,
  createRepresentation: ({ definition }) => `The values of a new ${definition.label}.`,
  createPayload: ({ definition }) => `What came of creating a ${definition.label}.`,
  updateInput: ({ definition }) => `The id of a ${definition.label}, and what to change.`,
  updateRepresentation: ({ definition }) => `The values to change of a ${definition.label}.`,
  updatePayload: ({ definition }) => `What came of changing a ${definition.label}.`,
  aggregateConnection: ({ definition }) => `A page of groups of ${definition.labelPlural}.`,
  aggregateEdge: ({ definition }) => `One of a page of groups of ${definition.labelPlural}.`,
  result: ({ definition }) => `A group of ${definition.labelPlural}.`,
  aggregate: ({ definition }) => `Aggregates of a group of ${definition.labelPlural}, by field.`,
  groupBy: ({ definition }) => `By what ${definition.labelPlural} are grouped.`,
  aggregateOrder: ({ definition }) => `The order of groups of ${definition.labelPlural}.`,
}

/** `last_n_days` is "Of the last n days." */
function findText(name: string): string | undefined {
  const isRange = /^(last|next)_n_|^n_\w+_ago$/.test(name)
  return isRange
    ? `Of ${name.replace(/^(?=last|next)/, 'the ').replaceAll('_', ' ')}.`
    : FIELD_TEXTS.get(name)
}

const describeField = (field: Field) => field.definition.help ?? field.label

function describeMember(member: Member): string | undefined {
  switch (member.kind) {
    case 'value':
    case 'compound':
      return member.field === undefined ? undefined : describeField(member.field)
    case 'parent':
      return `The ${member.object.definition.label} that ${member.field.label} names.`
    case 'anyParent':
      return `The record that ${member.field.label} names.`
    case 'children': {
      const { field } = member.relationship
      return `The ${member.object.definition.labelPlural} whose ${field.label} is this record.`
    }
    default:
      return undefined
  }
}

/** Describes members of a type that have no description yet. */
function describeFields(type: GraphQLNamedType, find: (name: string) => string | undefined): void {
  if (!isObjectType(type) && !isInputObjectType(type) && !isInterfaceType(type)) return
  for (const field of Object.values(type.getFields())) {
    field.description ??= find(field.name)
    if (!('args' in field)) continue
    for (const argument of field.args) argument.description ??= FIELD_TEXTS.get(argument.name)
  }
}

/** Describes the type that an object has of a kind, with its fields. */
export function describeObjectType(types: OrgTypes, object: ObjectType, kind: TypeKind): void {
  const type = types.of(object, kind)
  const members = getMembers(object, types.schema)
  type.description ??= KIND_TEXTS[kind](object)
  describeFields(type, (name) => {
    const member = members.get(name)
    const ofMember = member && describeMember(member)
    return ofMember ?? findText(name) ?? object.field(name)?.label ?? KIND_TEXTS[kind](object)
  })
}

/** The description of a type that no object has of its own. */
function describeType(type: GraphQLNamedType): string {
  const known = SHARED_TYPE_TEXTS.get(type.name)
  if (known !== undefined) return known
  if (isUnionType(type)) return 'A record of one of several objects.'
  if (isEnumType(type)) return type.name.endsWith('_SCOPE') ? 'Whose records.' : 'One of these.'
  if (type.name.endsWith('_Filters')) return 'Conditions on a parent that may be of several objects.'
  if (type.name.endsWith('_OrderBys')) return 'An order by a parent that may be of several objects.'
  if (type.name.endsWith('Value')) return 'A value and its display forms.'
  if (type.name.endsWith('Operators')) return 'Comparisons with a value. All members have to hold.'
  if (type.name.endsWith('Aggregate')) return 'Aggregates of the values of a field.'
  return type.name
}

/** Fields of the roots are named after objects: `Account`, `AccountCreate`. */
function describeRootField(types: OrgTypes, type: GraphQLNamedType, name: string): string | undefined {
  const { schema } = types
  if (type.name === 'RecordQueryAggregate') {
    return `Groups of ${schema.object(name)!.definition.labelPlural}.`
  }
  const [, mutated, verb] = /^(.*)(Create|Update|Delete)$/.exec(name) ?? []
  const object = schema.object(mutated ?? '')
  if (type.name === 'UIAPIMutations' && object !== undefined) {
    return `${verb}s a ${object.definition.label}.`
  }
  return schema.object(name)?.definition.labelPlural
}

const TYPES_PER_SLICE = 100

/** Describes the types that are not of one object. What has a description keeps it. */
export function* describeOtherTypes(types: OrgTypes, schema: GraphQLSchema): Generator<void> {
  let count = 0
  for (const type of Object.values(schema.getTypeMap())) {
    if (++count % TYPES_PER_SLICE === 0) yield
    if (type.name.startsWith('__')) continue
    type.description ??= describeType(type)
    describeFields(type, (name) => findText(name) ?? describeRootField(types, type, name))
  }
}
