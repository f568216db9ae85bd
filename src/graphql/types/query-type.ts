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
import { aggregateArguments, connectionArguments } from './connection-arguments.ts'
import { ObjectInfo, ObjectInfoInput, RelatedListInfo } from './object-info-types.ts'
import type { OrgTypes } from './org-types.ts'

type Output = GraphQLFieldConfig<unknown, unknown>
type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** A type with a field for each object. */
function familyType(types: OrgTypes, name: string, field: (object: ObjectType) => Output): Output {
  const fields = () => Object.fromEntries(types.schema.objects.map((object) => [object.name, field(object)]))
  return { type: new GraphQLNonNull(types.once(name, () => new GraphQLObjectType({ name, fields }))) }
}

/** `uiapi { query { ... } }` */
const recordQuery = (types: OrgTypes) =>
  familyType(types, 'RecordQuery', (object) => ({
    type: types.of(object, 'connection'),
    args: connectionArguments(types, object),
  }))

/** `uiapi { aggregate { ... } }` */
const recordQueryAggregate = (types: OrgTypes) =>
  familyType(types, 'RecordQueryAggregate', (object) => ({
    type: types.of(object, 'aggregateConnection'),
    args: aggregateArguments(types, object),
  }))

/** Records and groups of them. Somebody who sees no object at all has none to query. */
function families(types: OrgTypes): Fields {
  if (types.schema.objects.length === 0) return {}
  return {
    query: recordQuery(types),
    ...(hasChange(types.version, 'graphqlAggregates') ? { aggregate: recordQueryAggregate(types) } : {}),
  }
}

const text = { type: GraphQLString }
const neededText = { type: new GraphQLNonNull(GraphQLString) }
const INPUTS = { type: new GraphQLList(new GraphQLNonNull(ObjectInfoInput)) }

/** What is told of objects, and of the caller. (docs/reference/api/graphql.md#descriptions) */
function metadata(types: OrgTypes): Fields {
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
      args: { parentApiName: neededText, relatedListName: neededText },
    },
    ...(user === undefined ? {} : { currentUser: { type: types.of(user, 'node') } }),
  }
}

/** `Query` (docs/reference/api/graphql.md#schema) */
export function queryType(types: OrgTypes): GraphQLObjectType {
  const uiapi = types.once(
    'UIAPI',
    (name) => new GraphQLObjectType({ name, fields: () => ({ ...families(types), ...metadata(types) }) }),
  )
  const fields = { uiapi: { type: new GraphQLNonNull(uiapi) } }
  return types.once('Query', (name) => new GraphQLObjectType({ name, fields }))
}
