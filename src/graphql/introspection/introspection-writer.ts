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
import {
  collectFields,
  type DecodeContext,
  getSelectionSets,
  type Selected,
} from '../document/collect-fields.ts'
import { getArguments } from '../document/variables.ts'

/** Writes one value of an introspection as JSON; values with lists yield between slices. */
type Writer =
  | { readonly atOnce: true; readonly write: (source: unknown, schema: GraphQLSchema) => string }
  | { readonly atOnce: false; readonly write: (source: unknown, schema: GraphQLSchema) => SlicedText }

type SlicedText = Generator<void, string>

/** Members of lists written between two yields. */
const MEMBERS_PER_SLICE = 16

const LEAF: Writer = { atOnce: true, write: (source) => JSON.stringify(source) }

const isNull = (source: unknown) => source === undefined || source === null

function makeListWriter(member: Writer): Writer {
  return {
    atOnce: false,
    *write(members, schema) {
      let text = '['
      let count = 0
      for (const one of members as Iterable<unknown>) {
        const written = member.atOnce ? member.write(one, schema) : yield* member.write(one, schema)
        text += count === 0 ? written : `,${written}`
        if (++count % MEMBERS_PER_SLICE === 0) yield
      }
      return `${text}]`
    },
  }
}

function makeNullable(writer: Writer): Writer {
  if (writer.atOnce) {
    return {
      atOnce: true,
      write: (source, schema) => (isNull(source) ? 'null' : writer.write(source, schema)),
    }
  }
  return {
    atOnce: false,
    *write(source, schema) {
      return isNull(source) ? 'null' : yield* writer.write(source, schema)
    },
  }
}

function makeWriter(
  decodeContext: DecodeContext,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
): Writer {
  if (isNonNullType(type)) return makeWriter(decodeContext, type.ofType, sets)
  if (isListType(type)) return makeNullable(makeListWriter(makeWriter(decodeContext, type.ofType, sets)))
  return makeNullable(isObjectType(type) ? makeObjectWriter(decodeContext, type, sets) : LEAF)
}

/** A member of an object, with the text before its value. */
interface Member {
  readonly lead: string
  readonly resolve: (source: unknown, schema: GraphQLSchema) => unknown
  readonly writer: Writer
}

/** The types of the introspection resolve their fields themselves. */
function makeMember(
  decodeContext: DecodeContext,
  type: GraphQLObjectType,
  selected: Selected,
  index: number,
): Member {
  const lead = `${index === 0 ? '{' : ','}${JSON.stringify(selected.key)}:`
  if (selected.name === '__typename') return { lead, resolve: () => type.name, writer: LEAF }
  const { type: fieldType, resolve, args } = type.getFields()[selected.name]!
  const defaults = args.some(({ name }) => name === 'includeDeprecated') ? { includeDeprecated: false } : {}
  const given = { ...defaults, ...getArguments(selected.nodes[0]!.arguments, decodeContext.variables) }
  return {
    lead,
    resolve: (source, schema) => resolve!(source, given, undefined, { schema } as GraphQLResolveInfo),
    writer: makeWriter(decodeContext, fieldType, getSelectionSets(selected)),
  }
}

/** Makes a writer of the selected fields of an introspection type. */
function makeObjectWriter(
  decodeContext: DecodeContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Writer {
  const members = collectFields(decodeContext, type, sets).map((selected, index) =>
    makeMember(decodeContext, type, selected, index),
  )
  if (members.every(({ writer }) => writer.atOnce)) {
    return {
      atOnce: true,
      write(source, schema) {
        let text = ''
        for (const { lead, resolve, writer } of members) {
          text += lead + String(writer.write(resolve(source, schema), schema))
        }
        return members.length === 0 ? '{}' : `${text}}`
      },
    }
  }
  return {
    atOnce: false,
    *write(source, schema) {
      let text = ''
      for (const { lead, resolve, writer } of members) {
        const value = resolve(source, schema)
        text += lead + (writer.atOnce ? writer.write(value, schema) : yield* writer.write(value, schema))
      }
      return `${text}}`
    },
  }
}

/**
 * Writes the selected fields of an introspection type. The executor of graphql-js does the same without yielding: a second
 * for the schema of a large org.
 */
export function* writeIntrospection(
  decodeContext: DecodeContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  source: unknown,
  schema: GraphQLSchema,
): SlicedText {
  const writer = makeObjectWriter(decodeContext, type, sets)
  return writer.atOnce ? writer.write(source, schema) : yield* writer.write(source, schema)
}
