import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { collectFields, type DecodeContext, setsOf } from '../document/collect-fields.ts'

/** Plain data; a member that is costly is a function that gives it. */
export type Plain = Readonly<Record<string, unknown>>

/**
 * Plain data as a selection asks for it. Of several types that it may have, `__typename` says which one.
 */
export function showPlain(
  decodeContext: DecodeContext,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  value: unknown,
): unknown {
  if (isNonNullType(type)) return showPlain(decodeContext, type.ofType, sets, value)
  if (value === null || value === undefined) return null
  if (isListType(type))
    return (value as unknown[]).map((one) => showPlain(decodeContext, type.ofType, sets, one))
  if (isObjectType(type)) return showMembers(decodeContext, type, sets, value as Plain)
  if (!isAbstractType(type)) return value
  const known = decodeContext.schema.getType((value as Plain).__typename as string) as GraphQLObjectType
  return showMembers(decodeContext, known, sets, value as Plain)
}

function showMembers(
  decodeContext: DecodeContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  value: Plain,
): Plain {
  const members = collectFields(decodeContext, type, sets).map((selected) => {
    if (selected.name === '__typename') return [selected.key, type.name]
    const member = value[selected.name]
    const plain = typeof member === 'function' ? member() : member
    return [
      selected.key,
      showPlain(decodeContext, type.getFields()[selected.name]!.type, setsOf(selected), plain),
    ]
  })
  return Object.fromEntries(members)
}
