import { type GraphQLSchema, Kind, type OperationDefinitionNode, print } from 'graphql'
import { oncePer } from '../../base/get-or-insert.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { getSelectionSets, type Selected } from '../document/collect-fields.ts'
import { getArguments } from '../document/variables.ts'
import { countValues, getRootType } from '../parts/introspection-cost.ts'
import type { Part, PartContext, Run } from '../parts/part.ts'
import type { OrgSchema } from '../types/org-schema.ts'
import { BoundedTexts, type KeptText } from './bounded-texts.ts'
import { writeIntrospection } from './introspection-writer.ts'

/** True if a root field is an introspection. */
export const isIntrospection = ({ name }: Selected) => name === '__schema' || name === '__type'

/** Maximum characters of all cached results; the standard query has two million in an org of forty objects. */
const MAX_CACHED_CHARACTERS = 32_000_000

const texts = new BoundedTexts(MAX_CACHED_CHARACTERS)

/** Results by query, per schema. */
const answersOf = oncePer<OrgSchema, Map<string, KeptText>>(() => new Map())

/** The requested type or schema. */
function findSource({ name, nodes }: Selected, schema: GraphQLSchema, variables: Run['variables']): unknown {
  if (name === '__schema') return schema
  return schema.getType(String(getArguments(nodes[0]!.arguments, variables).name))
}

/** `__schema`, `__type`: the schema as the caller sees it. */
export function makeIntrospectionPart(
  { decodeContext, connections }: PartContext,
  selected: Selected,
  operation: OperationDefinitionNode,
): Part {
  const type = getRootType(selected.name)
  connections.addIntrospection(countValues(type, getSelectionSets(selected), decodeContext.fragments))
  const fragments = [...decodeContext.fragments.values()]
  const selections = { kind: Kind.SELECTION_SET, selections: [...selected.nodes] } as const
  const written = [print(selections), ...fragments.map(print)].join('\n')
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
  return async ({ ctx, variables }) => {
    const answers = answersOf(decodeContext.schema)
    const key = JSON.stringify([written, ...names.map((name) => variables[name])])
    const known = texts.read(answers.get(key))
    if (known !== undefined) return known
    const text = await runInSlices(function* () {
      const schema = yield* decodeContext.schema.makeWhole()
      const source = findSource(selected, schema, variables)
      if (source === undefined) return 'null'
      const requested = { ...decodeContext, variables }
      return yield* writeIntrospection(requested, type, getSelectionSets(selected), source, schema)
    }, ctx.deadline())
    for (const [other, answer] of answers) if (answer.text === undefined) answers.delete(other)
    answers.set(key, texts.keep(text))
    return text
  }
}
