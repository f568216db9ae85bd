import {
  __Schema,
  __Type,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'

/**
 * How many of them a list of a schema has, roughly, and how often a type wraps another: what counts is how a document
 * compares with the usual one.
 */
const LENGTHS: Readonly<Record<string, number>> = {
  types: 1000,
  fields: 20,
  inputFields: 20,
  args: 2,
  enumValues: 10,
  possibleTypes: 10,
  interfaces: 2,
  directives: 6,
  locations: 4,
  ofType: 0.3,
}

/** A type takes as long to find as this many values of it, however few are asked for. */
const LEAST_OF_TYPE = 50

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** How many values an introspection asks for below a type of the introspection. */
export function countValues(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
): number {
  let count = 0
  for (const selection of sets.flatMap(({ selections }) => selections)) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      count += countValues(type, [fragments.get(selection.name.value)!.selectionSet], fragments)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      count += countValues(type, [selection.selectionSet], fragments)
    } else {
      const field = type.getFields()[selection.name.value]
      const inner = field && getNamedType(field.type)
      const each =
        selection.selectionSet !== undefined && isObjectType(inner)
          ? 1 + countValues(inner, [selection.selectionSet], fragments)
          : 1
      const least = selection.name.value === 'types' ? LEAST_OF_TYPE : 1
      count += Math.max(each, least) * (LENGTHS[selection.name.value] ?? 1)
    }
  }
  return count
}

/** What tools ask that want all of a schema. */
const USUAL = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})

const TIMES_USUAL = 3

function countUsual(): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const sets: SelectionSetNode[] = []
  for (const node of parse(USUAL).definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
    else if (node.kind === Kind.OPERATION_DEFINITION) sets.push(node.selectionSet)
  }
  const inner = sets.flatMap(({ selections }) =>
    selections.flatMap((one) => ('selectionSet' in one ? one.selectionSet! : [])),
  )
  return countValues(__Schema, inner, fragments)
}

/** As many values as all introspections of a document may ask for. */
export const MAX_INTROSPECTION_VALUES = TIMES_USUAL * countUsual()

export const rootOf = (name: string): GraphQLObjectType => (name === '__schema' ? __Schema : __Type)
