import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { collectFields, type Reading, type Selected, setsOf } from '../collect-fields.ts'
import { argumentsOf } from '../variables.ts'

/** Writes one value of an introspection as JSON; it may pause wherever it yields. */
type Write = (source: unknown, schema: GraphQLSchema) => Generator<void, string>

/** Members of lists between two pauses. */
const MEMBERS_AT_ONCE = 16

// biome-ignore lint/correctness/useYield: a leaf is written at once
function* writeLeaf(source: unknown): Generator<void, string> {
  return JSON.stringify(source)
}

function listWriter(writeMember: Write): Write {
  return function* (members, schema) {
    let text = '['
    let count = 0
    for (const member of members as Iterable<unknown>) {
      text += (count === 0 ? '' : ',') + (yield* writeMember(member, schema))
      if (++count % MEMBERS_AT_ONCE === 0) yield
    }
    return `${text}]`
  }
}

function writerOf(reading: Reading, type: GraphQLOutputType, sets: readonly SelectionSetNode[]): Write {
  if (isNonNullType(type)) return writerOf(reading, type.ofType, sets)
  const write = isListType(type)
    ? listWriter(writerOf(reading, type.ofType, sets))
    : isObjectType(type)
      ? objectWriter(reading, type, sets)
      : writeLeaf
  return function* (source, schema) {
    return source === undefined || source === null ? 'null' : yield* write(source, schema)
  }
}

/** A member of an object of an introspection type, which resolves its fields itself. */
function memberWriter(reading: Reading, type: GraphQLObjectType, selected: Selected): Write {
  if (selected.name === '__typename') return () => writeLeaf(type.name)
  const { type: fieldType, resolve, args } = type.getFields()[selected.name]!
  const defaults = args.some(({ name }) => name === 'includeDeprecated') ? { includeDeprecated: false } : {}
  const given = { ...defaults, ...argumentsOf(selected.nodes[0]!.arguments, reading.variables) }
  const write = writerOf(reading, fieldType, setsOf(selected))
  return (source, schema) =>
    write(resolve!(source, given, undefined, { schema } as GraphQLResolveInfo), schema)
}

/**
 * The values that selections ask of an introspection type. graphql-js's executor writes the same, but in one piece: a
 * second for the schema of a large org.
 */
export function objectWriter(
  reading: Reading,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Write {
  const members = collectFields(reading, type, sets).map(
    (selected) => [`${JSON.stringify(selected.key)}:`, memberWriter(reading, type, selected)] as const,
  )
  return function* (source, schema) {
    let text = '{'
    for (const [index, [key, write]] of members.entries()) {
      text += (index === 0 ? key : `,${key}`) + (yield* write(source, schema))
    }
    return `${text}}`
  }
}
