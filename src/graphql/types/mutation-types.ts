import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { valueKind } from '../values/value-kind.ts'
import type { OrgTypes } from './org-types.ts'
import { SCALARS } from './scalars.ts'

/** What can be done with the records of an object, and the ability that it takes. (docs/reference/api/graphql.md#mutations) */
export const MUTATIONS = { Create: 'createable', Update: 'updateable', Delete: 'deletable' } as const

export type Mutation = keyof typeof MUTATIONS

const idOrRef = { type: new GraphQLNonNull(SCALARS.IdOrRef) }

export const RecordDeleteInput = new GraphQLInputObjectType({
  name: 'RecordDeleteInput',
  fields: { Id: idOrRef },
})

const RecordDeletePayload = new GraphQLObjectType({
  name: 'RecordDeletePayload',
  fields: { Id: { type: GraphQLID } },
})

/** The fields that may be written, each as its raw value. */
function writtenFields(object: ObjectType, ability: 'createable' | 'updateable'): readonly Field[] {
  if (object.definition[ability] === false) return []
  return object.fields.filter((field) => field[ability] && valueKind(field) !== undefined)
}

function representation(object: ObjectType, name: string, ability: 'createable' | 'updateable') {
  const fields = (): Record<string, GraphQLInputFieldConfig> =>
    Object.fromEntries(
      writtenFields(object, ability).map((field) => {
        const kind = valueKind(field)!
        return [field.name, { type: kind === 'ID' ? SCALARS.IdOrRef : SCALARS[kind] }]
      }),
    )
  return new GraphQLInputObjectType({ name, fields })
}

/** `<Object>CreateRepresentation` */
export const createRepresentation = (_types: OrgTypes, object: ObjectType, name: string) =>
  representation(object, name, 'createable')

/** `<Object>UpdateRepresentation` */
export const updateRepresentation = (_types: OrgTypes, object: ObjectType, name: string) =>
  representation(object, name, 'updateable')

/** `<Object>CreateInput` */
export const createInput = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLInputObjectType({
    name,
    fields: () => ({
      [object.name]: { type: new GraphQLNonNull(types.of(object, 'createRepresentation')) },
    }),
  })

/** `<Object>UpdateInput` */
export const updateInput = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLInputObjectType({
    name,
    fields: () => ({
      Id: idOrRef,
      [object.name]: { type: new GraphQLNonNull(types.of(object, 'updateRepresentation')) },
    }),
  })

/** `<Object>CreatePayload` */
export const createPayload = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLObjectType({ name, fields: () => ({ Record: { type: types.of(object, 'node') } }) })

/** `<Object>UpdatePayload` */
export const updatePayload = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLObjectType({
    name,
    fields: () => ({ Record: { type: types.of(object, 'node') }, success: { type: GraphQLBoolean } }),
  })

const taking = (input: GraphQLInputObjectType) => ({ input: { type: new GraphQLNonNull(input) } })

type Output = GraphQLFieldConfig<unknown, unknown>

/** The operations that somebody may carry out on the records of an object. */
function operationsOf(types: OrgTypes, object: ObjectType): [string, Output][] {
  const fields: [string, Output][] = []
  if (writtenFields(object, 'createable').length > 0) {
    const args = taking(types.of(object, 'createInput'))
    fields.push([`${object.name}Create`, { type: types.of(object, 'createPayload'), args }])
  }
  if (writtenFields(object, 'updateable').length > 0) {
    const args = taking(types.of(object, 'updateInput'))
    fields.push([`${object.name}Update`, { type: types.of(object, 'updatePayload'), args }])
  }
  if (object.definition.deletable !== false) {
    fields.push([`${object.name}Delete`, { type: RecordDeletePayload, args: taking(RecordDeleteInput) }])
  }
  return fields
}

export const UIAPIMutationsInput = new GraphQLInputObjectType({
  name: 'UIAPIMutationsInput',
  fields: { allOrNone: { type: GraphQLBoolean, default: { value: true } } },
})

/** `Mutation`; undefined where nothing at all may be written. */
export function mutationType(types: OrgTypes): GraphQLObjectType | undefined {
  const fields = types.schema.objects.flatMap((object) => operationsOf(types, object))
  if (fields.length === 0) return undefined
  const operations = types.once(
    'UIAPIMutations',
    (name) => new GraphQLObjectType({ name, fields: Object.fromEntries(fields) }),
  )
  const uiapi = { type: new GraphQLNonNull(operations), args: { input: { type: UIAPIMutationsInput } } }
  return types.once('Mutation', (name) => new GraphQLObjectType({ name, fields: { uiapi } }))
}
