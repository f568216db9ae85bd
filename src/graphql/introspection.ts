import { type DocumentNode, execute, Kind, type OperationDefinitionNode } from 'graphql'
import { Json } from '../base/json.ts'
import type { Selected } from './collect-fields.ts'
import { errorItem, placesOf } from './graphql-error.ts'
import type { Making, Part, Run } from './part.ts'
import type { OrgSchema } from './types/org-schema.ts'

/** Whether a field of the root asks for the schema itself. */
export const isIntrospection = ({ name }: Selected) => name === '__schema' || name === '__type'

/** Asks graphql-js, from all types of the schema. */
async function introspect(
  schema: OrgSchema,
  document: DocumentNode,
  { key }: Selected,
  run: Run,
): Promise<string> {
  const { data, errors = [] } = await execute({
    schema: schema.whole(),
    document,
    variableValues: run.variables,
  })
  for (const error of errors) {
    const where = { path: error.path, locations: placesOf(error) }
    run.errors.push(errorItem('DataFetchingException', error.message, where))
  }
  return JSON.stringify(data?.[key] ?? null)
}

/** `__schema`, `__type`: the schema as the caller sees it. */
export function introspectionPart(
  { reading, connections }: Making,
  selected: Selected,
  operation: OperationDefinitionNode,
): Part {
  connections.add()
  const selections = { kind: Kind.SELECTION_SET, selections: [...selected.nodes] } as const
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, directives: [], selectionSet: selections }, ...reading.fragments.values()],
  }
  const varies = (operation.variableDefinitions ?? []).length > 0
  // The whole schema of a large org takes a second to write: it is kept while there is memory for it.
  let kept: WeakRef<Json> | undefined
  return async (run) => {
    const known = varies ? undefined : kept?.deref()
    if (known !== undefined) return known.text
    const answer = new Json(await introspect(reading.schema, document, selected, run))
    if (run.errors.length === 0) kept = new WeakRef(answer)
    return answer.text
  }
}
