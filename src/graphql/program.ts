import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql'
import { ApiError } from '../base/api-error.ts'
import { AggregateConnection } from './aggregates/aggregate-connection.ts'
import type { Variables } from './document/variables.ts'
import type { Document } from './document.ts'
import { introspectionPart, isIntrospection } from './introspection/introspection.ts'
import { currentUserPart, objectInfosPart, relatedListPart } from './metadata/metadata-parts.ts'
import { mutationPart } from './mutations/mutation.ts'
import { Connections } from './parts/limits.ts'
import { fieldsPart, type MakePart, type Making, objectPart, type Part, partial } from './parts/part.ts'
import { Connection } from './queries/connection.ts'
import type { OrgSchema } from './types/org-schema.ts'
import { refused } from './values/graphql-error.ts'

/** `<Object>` of `uiapi { query { } }` */
const recordsPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  const object = decodeContext.schema.types.schema.object(selected.name)!
  const connection = new Connection(decodeContext, object, selected, connections)
  return partial(selected, path, ({ ctx, variables }) => connection.run(ctx, variables))
}

/** `<Object>` of `uiapi { aggregate { } }` */
const groupsPart: MakePart = ({ decodeContext, connections }, selected, path) => {
  const object = decodeContext.schema.types.schema.object(selected.name)!
  const connection = new AggregateConnection(decodeContext, object, selected, connections)
  return partial(selected, path, ({ ctx, variables }) => connection.run(ctx, variables))
}

/** The members of a field of `uiapi` are parts of one kind. */
const family =
  (owner: GraphQLObjectType, makeMember: MakePart): MakePart =>
  (making, selected, path) =>
    fieldsPart(making, owner, selected, path, makeMember)

/** How the fields of `uiapi` are made. (docs/reference/api/graphql.md#schema) */
const makersOf = (uiapi: GraphQLObjectType): Readonly<Record<string, MakePart>> => ({
  query: family(uiapi, recordsPart),
  aggregate: family(uiapi, groupsPart),
  objectInfos: objectInfosPart,
  relatedListByName: relatedListPart,
  currentUser: currentUserPart,
})

function queryPart(making: Making, operation: OperationDefinitionNode): Part {
  const root = making.decodeContext.schema.getQueryType()
  const uiapi = root.getFields().uiapi!.type as { readonly ofType: GraphQLObjectType }
  const makers = makersOf(uiapi.ofType)
  const makeField: MakePart = (same, selected, path) => makers[selected.name]!(same, selected, path)
  return objectPart(making, root, [operation.selectionSet], [], (same, selected, path) =>
    isIntrospection(selected)
      ? introspectionPart(same, selected, operation)
      : fieldsPart(same, root, selected, path, makeField),
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
    const making = { decodeContext, connections: new Connections() }
    if (operation.operation === 'query') return queryPart(making, operation)
    return mutationPart(making, schema.getMutationType()!, operation)
  } catch (error) {
    if (error instanceof ApiError) throw refused('ValidationError', error.message)
    throw error
  }
}

/**
 * What an operation does. It is kept with the document, for each way in which parts of it are left out.
 * @throws DocumentRefused
 */
export function programOf(
  schema: OrgSchema,
  document: Document,
  operation: OperationDefinitionNode,
  variables: Variables,
): Part {
  const key = JSON.stringify([operation.name?.value, ...document.switches.map((name) => variables[name])])
  return document.programs.of(key, () => makeProgram(schema, document, operation, variables))
}
