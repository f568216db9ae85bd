import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql'
import { ApiError } from '../base/api-error.ts'
import { AggregateConnection } from './aggregates/aggregate-connection.ts'
import { Connection } from './connection.ts'
import type { Document } from './document.ts'
import { refused } from './graphql-error.ts'
import { introspectionPart, isIntrospection } from './introspection/introspection.ts'
import { Connections } from './limits.ts'
import { currentUserPart, objectInfosPart, relatedListPart } from './metadata/metadata-parts.ts'
import { mutationPart } from './mutations/mutation.ts'
import { fieldsPart, type MakePart, type Making, objectPart, type Part, partial } from './part.ts'
import type { OrgSchema } from './types/org-schema.ts'
import type { Variables } from './variables.ts'

/** `<Object>` of `uiapi { query { } }` */
const recordsPart: MakePart = ({ reading, connections }, selected, path) => {
  const object = reading.schema.types.schema.object(selected.name)!
  const connection = new Connection(reading, object, selected, connections)
  return partial(selected, path, ({ ctx, variables }) => connection.run(ctx, variables))
}

/** `<Object>` of `uiapi { aggregate { } }` */
const groupsPart: MakePart = ({ reading, connections }, selected, path) => {
  const object = reading.schema.types.schema.object(selected.name)!
  const connection = new AggregateConnection(reading, object, selected, connections)
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
  const root = making.reading.schema.getQueryType()
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
  const reading = { schema, fragments, variables }
  try {
    const making = { reading, connections: new Connections() }
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
