import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql'
import { ApiError } from '../base/api-error.ts'
import { AggregateConnection } from './aggregate-connection.ts'
import { Connection } from './connection.ts'
import type { Document } from './document.ts'
import { refused } from './graphql-error.ts'
import { Connections } from './limits.ts'
import { fieldsPart, type MakePart, type Making, objectPart, type Part, partial } from './part.ts'
import type { OrgSchema } from './types/org-schema.ts'
import type { Variables } from './variables.ts'

/** What has been made of an operation: it can run again and again. */
export type Program = Part

/** `uiapi { query { <Object> } }` */
const recordsPart: MakePart = ({ reading, connections }, selected, path) => {
  const object = reading.schema.types.schema.object(selected.name)!
  const connection = new Connection(reading, object, selected, connections)
  return partial(selected, path, ({ ctx, variables }) => connection.run(ctx, variables))
}

/** `uiapi { aggregate { <Object> } }` */
const groupsPart: MakePart = ({ reading, connections }, selected, path) => {
  const object = reading.schema.types.schema.object(selected.name)!
  const connection = new AggregateConnection(reading, object, selected, connections)
  return partial(selected, path, ({ ctx, variables }) => connection.run(ctx, variables))
}

/** What the fields of `uiapi` are made of, member by member. (contract/graphql 2) */
const UIAPI: Readonly<Record<string, MakePart>> = {
  query: recordsPart,
  aggregate: groupsPart,
}

function queryPart(making: Making, operation: OperationDefinitionNode): Part {
  const root = making.reading.schema.getQueryType()
  const uiapi = root.getFields().uiapi!.type as { readonly ofType: GraphQLObjectType }
  return objectPart(making, root, [operation.selectionSet], [], (_making, field, path) =>
    fieldsPart(making, root, field, path, (_same, family, place) =>
      fieldsPart(making, uiapi.ofType, family, place, UIAPI[family.name]!),
    ),
  )
}

function makeProgram(
  schema: OrgSchema,
  { fragments }: Document,
  operation: OperationDefinitionNode,
  variables: Variables,
): Program {
  const reading = { schema, fragments, variables }
  try {
    return queryPart({ reading, connections: new Connections() }, operation)
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
): Program {
  const key = JSON.stringify([operation.name?.value, ...document.switches.map((name) => variables[name])])
  const known = document.programs.get(key)
  if (known !== undefined) return known
  const program = makeProgram(schema, document, operation, variables)
  document.programs.set(key, program)
  return program
}
