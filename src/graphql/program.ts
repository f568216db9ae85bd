import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql'
import { ApiError } from '../base/api-error.ts'
import { AggregateConnection } from './aggregates/aggregate-connection.ts'
import type { Variables } from './document/variables.ts'
import type { Document } from './document.ts'
import { isIntrospection, makeIntrospectionPart } from './introspection/introspection.ts'
import { makeCurrentUserPart, makeObjectInfosPart, makeRelatedListPart } from './metadata/metadata-parts.ts'
import { makeMutationPart } from './mutations/mutation.ts'
import { DocumentLimits } from './parts/limits.ts'
import {
  type MakePart,
  makeFieldsPart,
  makeObjectPart,
  makePartialPart,
  type Part,
  type PartContext,
} from './parts/part.ts'
import { Connection } from './queries/connection.ts'
import type { OrgSchema } from './types/org-schema.ts'
import { documentError } from './values/graphql-error.ts'

/** `<Object>` of `uiapi { query { } }` */
const makeRecordsPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  const object = decodeContext.schema.types.schema.object(selected.name)!
  const connection = new Connection(decodeContext, object, selected, connections)
  return makePartialPart(selected, path, ({ ctx, variables }) => connection.run(ctx, variables))
}

/** `<Object>` of `uiapi { aggregate { } }` */
const makeGroupsPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  const object = decodeContext.schema.types.schema.object(selected.name)!
  const connection = new AggregateConnection(decodeContext, object, selected, connections)
  return makePartialPart(selected, path, ({ ctx, variables }) => connection.run(ctx, variables))
}

/** A field of `uiapi` whose members are all made by one function. */
const makeFieldsOf =
  (owner: GraphQLObjectType, makeMember: MakePart): MakePart =>
  (making, selected, path) =>
    makeFieldsPart(making, owner, selected, path, makeMember)

/** The functions that make the fields of `uiapi`. (docs/reference/api/graphql.md#schema) */
const getMakers = (uiapi: GraphQLObjectType): Readonly<Record<string, MakePart>> => ({
  query: makeFieldsOf(uiapi, makeRecordsPart),
  aggregate: makeFieldsOf(uiapi, makeGroupsPart),
  objectInfos: makeObjectInfosPart,
  relatedListByName: makeRelatedListPart,
  currentUser: makeCurrentUserPart,
})

function makeQueryPart(making: PartContext, operation: OperationDefinitionNode): Part {
  const root = making.decodeContext.schema.getQueryType()
  const uiapi = root.getFields().uiapi!.type as { readonly ofType: GraphQLObjectType }
  const makers = getMakers(uiapi.ofType)
  const makeField: MakePart = (same, selected, path) => makers[selected.name]!(same, selected, path)
  return makeObjectPart(making, root, [operation.selectionSet], [], (same, selected, path) =>
    isIntrospection(selected)
      ? makeIntrospectionPart(same, selected, operation)
      : makeFieldsPart(same, root, selected, path, makeField),
  )
}

function makeProgram(
  schema: OrgSchema,
  { fragments }: Document,
  operation: OperationDefinitionNode,
  variables: Variables,
): Part {
  const decodeContext = { schema, fragments, variables }
  try {
    const making = { decodeContext, connections: new DocumentLimits() }
    if (operation.operation === 'query') return makeQueryPart(making, operation)
    return makeMutationPart(making, schema.getMutationType()!, operation)
  } catch (error) {
    if (error instanceof ApiError) throw documentError('ValidationError', error.message)
    throw error
  }
}

/**
 * The compiled operation of a document. Cached with the document, per values of its `@skip` and `@include` variables.
 * @throws DocumentRefused
 */
export function getProgram(
  schema: OrgSchema,
  document: Document,
  operation: OperationDefinitionNode,
  variables: Variables,
): Part {
  const key = JSON.stringify([operation.name?.value, ...document.switches.map((name) => variables[name])])
  return document.programs.of(key, () => makeProgram(schema, document, operation, variables))
}
