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
import { getValueKind } from '../values/value-kind.ts'
import type { OrgTypes } from './org-types.ts'
import { SCALARS } from './scalars.ts'

/** Operations on records, and the property of the object that permits each. (docs/reference/api/graphql.md#mutations) */
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

/** The fields that the user may write. */
function getWritableFields(object: ObjectType, ability: 'createable' | 'updateable'): readonly Field[] {
  if (object.definition[ability] === false) return []
  return object.fields.filter((field) => field[ability] && getValueKind(field) !== undefined)
}

function makeRepresentation(object: ObjectType, name: string, ability: 'createable' | 'updateable') {
  const fields = (): Record<string, GraphQLInputFieldConfig> =>
    Object.fromEntries(
      getWritableFields(object, ability).map((field) => {
        const kind = getValueKind(field)!
        return [field.name, { type: kind === 'ID' ? SCALARS.IdOrRef : SCALARS[kind] }]
      }),
    )
  return new GraphQLInputObjectType({ name, fields })
}

/** `<Object>CreateRepresentation` */
export const makeCreateRepresentation = (_types: OrgTypes, object: ObjectType, name: string) =>
  makeRepresentation(object, name, 'createable')

/** `<Object>UpdateRepresentation` */
export const makeUpdateRepresentation = (_types: OrgTypes, object: ObjectType, name: string) =>
  makeRepresentation(object, name, 'updateable')

/** `<Object>CreateInput` */
export const makeCreateInput = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLInputObjectType({
    name,
    fields: () => ({
      [object.name]: { type: new GraphQLNonNull(types.of(object, 'createRepresentation')) },
    }),
  })

/** `<Object>UpdateInput` */
export const makeUpdateInput = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLInputObjectType({
    name,
    fields: () => ({
      Id: idOrRef,
      [object.name]: { type: new GraphQLNonNull(types.of(object, 'updateRepresentation')) },
    }),
  })

/** `<Object>CreatePayload` */
export const makeCreatePayload = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLObjectType({ name, fields: () => ({ Record: { type: types.of(object, 'node') } }) })

/** `<Object>UpdatePayload` */
export const makeUpdatePayload = (types: OrgTypes, object: ObjectType, name: string) =>
  new GraphQLObjectType({
    name,
    fields: () => ({ Record: { type: types.of(object, 'node') }, success: { type: GraphQLBoolean } }),
  })

const makeInputArgument = (input: GraphQLInputObjectType) => ({ input: { type: new GraphQLNonNull(input) } })

type Output = GraphQLFieldConfig<unknown, unknown>

/** The operations that the user may run on records of an object. */
function makeOperations(types: OrgTypes, object: ObjectType): [string, Output][] {
  const fields: [string, Output][] = []
  if (getWritableFields(object, 'createable').length > 0) {
    const args = makeInputArgument(types.of(object, 'createInput'))
    fields.push([`${object.name}Create`, { type: types.of(object, 'createPayload'), args }])
  }
  if (getWritableFields(object, 'updateable').length > 0) {
    const args = makeInputArgument(types.of(object, 'updateInput'))
    fields.push([`${object.name}Update`, { type: types.of(object, 'updatePayload'), args }])
  }
  if (object.definition.deletable !== false) {
    fields.push([
      `${object.name}Delete`,
      { type: RecordDeletePayload, args: makeInputArgument(RecordDeleteInput) },
    ])
  }
  return fields
}

export const UIAPIMutationsInput = new GraphQLInputObjectType({
  name: 'UIAPIMutationsInput',
  fields: { allOrNone: { type: GraphQLBoolean, default: { value: true } } },
})

/** `Mutation`; undefined if the user may not write any object. */
export function makeMutationType(types: OrgTypes): GraphQLObjectType | undefined {
  const fields = types.schema.objects.flatMap((object) => makeOperations(types, object))
  if (fields.length === 0) return undefined
  const operations = types.getOrMake(
    'UIAPIMutations',
    (name) => new GraphQLObjectType({ name, fields: Object.fromEntries(fields) }),
  )
  const uiapi = { type: new GraphQLNonNull(operations), args: { input: { type: UIAPIMutationsInput } } }
  return types.getOrMake('Mutation', (name) => new GraphQLObjectType({ name, fields: { uiapi } }))
}
