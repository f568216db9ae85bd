import { type GraphQLSchema, Kind, type OperationDefinitionNode, print } from 'graphql'
import { BoundedTexts, type KeptText } from '../../base/bounded-texts.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { type Selected, setsOf } from '../document/collect-fields.ts'
import { argumentsOf } from '../document/variables.ts'
import { countValues, rootOf } from '../parts/introspection-cost.ts'
import type { Making, Part, Run } from '../parts/part.ts'
import type { OrgSchema } from '../types/org-schema.ts'
import { writeIntrospection } from './introspection-writer.ts'

/** Whether a field of the root asks for the schema itself. */
export const isIntrospection = ({ name }: Selected) => name === '__schema' || name === '__type'

/** Characters of all answers that are kept; the usual one has two million in an org of forty objects. */
const MAX_KEPT_CHARACTERS = 32_000_000

const texts = new BoundedTexts(MAX_KEPT_CHARACTERS)

/** Answers by what was asked of a schema, which is that of a version and of what the caller may see. */
const kept = new WeakMap<OrgSchema, Map<string, KeptText>>()

/** The type or the schema that is asked for. */
function sourceOf({ name, nodes }: Selected, schema: GraphQLSchema, variables: Run['variables']): unknown {
  if (name === '__schema') return schema
  return schema.getType(String(argumentsOf(nodes[0]!.arguments, variables).name))
}

/** `__schema`, `__type`: the schema as the caller sees it. */
export function introspectionPart(
  { decodeContext, connections }: Making,
  selected: Selected,
  operation: OperationDefinitionNode,
): Part {
  const type = rootOf(selected.name)
  connections.addIntrospection(countValues(type, setsOf(selected), decodeContext.fragments))
  const fragments = [...decodeContext.fragments.values()]
  const selections = { kind: Kind.SELECTION_SET, selections: [...selected.nodes] } as const
  const written = [print(selections), ...fragments.map(print)].join('\n')
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
  return async ({ ctx, variables }) => {
    const answers = getOrInsert(kept, decodeContext.schema, () => new Map<string, KeptText>())
    const key = JSON.stringify([written, ...names.map((name) => variables[name])])
    const known = texts.read(answers.get(key))
    if (known !== undefined) return known
    const text = await runInSlices(function* () {
      const schema = yield* decodeContext.schema.makeWhole()
      const source = sourceOf(selected, schema, variables)
      if (source === undefined) return 'null'
      const requested = { ...decodeContext, variables }
      return yield* writeIntrospection(requested, type, setsOf(selected), source, schema)
    }, ctx.deadline)
    for (const [other, answer] of answers) if (answer.text === undefined) answers.delete(other)
    answers.set(key, texts.keep(text))
    return text
  }
}
