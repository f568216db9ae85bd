import { type DocumentNode, execute, Kind, type OperationDefinitionNode } from 'graphql'
import type { Selected } from './collect-fields.ts'
import { errorItem, placesOf } from './graphql-error.ts'
import type { Making, Part } from './part.ts'

/** Whether a field of the root asks for the schema itself. */
export const isIntrospection = ({ name }: Selected) => name === '__schema' || name === '__type'

/** `__schema`, `__type`: the schema as the caller sees it, told by graphql-js from all of its types. */
export function introspectionPart(
  { reading, connections }: Making,
  selected: Selected,
  operation: OperationDefinitionNode,
): Part {
  connections.add()
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        ...operation,
        directives: [],
        selectionSet: { kind: Kind.SELECTION_SET, selections: [...selected.nodes] },
      },
      ...reading.fragments.values(),
    ],
  }
  return async (run) => {
    const { data, errors = [] } = await execute({
      schema: reading.schema.whole(),
      document,
      variableValues: run.variables,
    })
    for (const error of errors) {
      run.errors.push(
        errorItem('DataFetchingException', error.message, { path: error.path, locations: placesOf(error) }),
      )
    }
    return JSON.stringify(data?.[selected.key] ?? null)
  }
}
