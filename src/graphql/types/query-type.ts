import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import { hasChange } from '../../base/api-version.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeAggregateArguments, makeConnectionArguments } from './connection-arguments.ts'
import { ObjectInfo, ObjectInfoInput, RelatedListInfo } from './object-info-types.ts'
import type { OrgTypes } from './org-types.ts'

type Output = GraphQLFieldConfig<unknown, unknown>
type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** A type with a field for each object. */
function makeObjectsField(types: OrgTypes, name: string, field: (object: ObjectType) => Output): Output {
  const fields = () => Object.fromEntries(types.schema.objects.map((object) => [object.name, field(object)]))
  return { type: new GraphQLNonNull(types.getOrMake(name, () => new GraphQLObjectType({ name, fields }))) }
}

/** `uiapi { query { ... } }` */
const makeRecordQuery = (types: OrgTypes) =>
  makeObjectsField(types, 'RecordQuery', (object) => ({
    type: types.of(object, 'connection'),
    args: makeConnectionArguments(types, object),
  }))

/** `uiapi { aggregate { ... } }` */
const makeAggregateQuery = (types: OrgTypes) =>
  makeObjectsField(types, 'RecordQueryAggregate', (object) => ({
    type: types.of(object, 'aggregateConnection'),
    args: makeAggregateArguments(types, object),
  }))

/** Records and groups. Empty if the user can see no object: GraphQL has no types without fields. */
function makeRecordFields(types: OrgTypes): Fields {
  if (types.schema.objects.length === 0) return {}
  return {
    query: makeRecordQuery(types),
    ...(hasChange(types.version, 'graphqlAggregates') ? { aggregate: makeAggregateQuery(types) } : {}),
  }
}

const text = { type: GraphQLString }
const requiredText = { type: new GraphQLNonNull(GraphQLString) }
const INPUTS = { type: new GraphQLList(new GraphQLNonNull(ObjectInfoInput)) }

/** Descriptions of objects, and the current user. (docs/reference/api/graphql.md#descriptions) */
function makeMetadataFields(types: OrgTypes): Fields {
  const user = types.schema.object('User')
  return {
    objectInfos: {
      type: new GraphQLList(ObjectInfo),
      args: {
        apiNames: { type: new GraphQLList(GraphQLString) },
        locale: text,
        ...(hasChange(types.version, 'graphqlPicklistValues') ? { objectInfoInputs: INPUTS } : {}),
      },
    },
    relatedListByName: {
      type: RelatedListInfo,
      args: { parentApiName: requiredText, relatedListName: requiredText },
    },
    ...(user === undefined ? {} : { currentUser: { type: types.of(user, 'node') } }),
  }
}

/** `Query` (docs/reference/api/graphql.md#schema) */
export function makeQueryType(types: OrgTypes): GraphQLObjectType {
  const uiapi = types.getOrMake(
    'UIAPI',
    (name) =>
      new GraphQLObjectType({
        name,
        fields: () => ({ ...makeRecordFields(types), ...makeMetadataFields(types) }),
      }),
  )
  const fields = { uiapi: { type: new GraphQLNonNull(uiapi) } }
  return types.getOrMake('Query', (name) => new GraphQLObjectType({ name, fields }))
}
