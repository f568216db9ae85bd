import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { OrgTypes } from './org-types.ts'

const flag = { type: new GraphQLNonNull(GraphQLBoolean) }
const cursor = { type: GraphQLString }
const count = { type: new GraphQLNonNull(GraphQLInt) }

export const PageInfo = new GraphQLObjectType({
  name: 'PageInfo',
  fields: { hasNextPage: flag, hasPreviousPage: flag, startCursor: cursor, endCursor: cursor },
})

/** A page with its page info and counts. (docs/reference/api/graphql.md#connections) */
export function makePageType(name: string, edge: () => GraphQLObjectType): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: () => ({
      edges: { type: new GraphQLList(edge()) },
      pageInfo: { type: new GraphQLNonNull(PageInfo) },
      totalCount: count,
      pageResultCount: count,
    }),
  })
}

export function makeEdgeType(name: string, node: () => GraphQLOutputType): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: () => ({ node: { type: node() }, cursor: { type: new GraphQLNonNull(GraphQLString) } }),
  })
}

/** `<Object>Connection`: records of an object. */
export const makeConnectionType = (types: OrgTypes, object: ObjectType, name: string) =>
  makePageType(name, () => types.of(object, 'edge'))

/** `<Object>Edge` */
export const makeRecordEdgeType = (types: OrgTypes, object: ObjectType, name: string) =>
  makeEdgeType(name, () => types.of(object, 'node'))
