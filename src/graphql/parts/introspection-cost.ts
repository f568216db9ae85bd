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
 * Estimated lengths of a schema's lists, and the share of types that wrap another: they only serve to compare a document
 * with the standard introspection query.
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

/** Minimum cost of a type, in values: finding it has a cost even if few values are selected. */
const MIN_TYPE_VALUES = 50

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Estimates how many values an introspection selects below an introspection type. */
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
      const least = selection.name.value === 'types' ? MIN_TYPE_VALUES : 1
      count += Math.max(each, least) * (LENGTHS[selection.name.value] ?? 1)
    }
  }
  return count
}

/** The introspection query that tools send for a full schema. */
const STANDARD_QUERY = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})

const MAX_STANDARD_QUERIES = 3

function countStandardValues(): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const sets: SelectionSetNode[] = []
  for (const node of parse(STANDARD_QUERY).definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
    else if (node.kind === Kind.OPERATION_DEFINITION) sets.push(node.selectionSet)
  }
  const inner = sets.flatMap(({ selections }) =>
    selections.flatMap((one) => ('selectionSet' in one ? one.selectionSet! : [])),
  )
  return countValues(__Schema, inner, fragments)
}

/** Maximum values of all introspections in a document. */
export const MAX_INTROSPECTION_VALUES = MAX_STANDARD_QUERIES * countStandardValues()

export const getRootType = (name: string): GraphQLObjectType => (name === '__schema' ? __Schema : __Type)
