import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { collectFields, type Reading, setsOf } from '../collect-fields.ts'

/** Plain data; a member that is costly is a function that gives it. */
export type Plain = Readonly<Record<string, unknown>>

/**
 * Plain data as a selection asks for it. Of several types that it may have, `__typename` says which one.
 */
export function showPlain(
  reading: Reading,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  value: unknown,
): unknown {
  if (isNonNullType(type)) return showPlain(reading, type.ofType, sets, value)
  if (value === null || value === undefined) return null
  if (isListType(type)) return (value as unknown[]).map((one) => showPlain(reading, type.ofType, sets, one))
  if (isObjectType(type)) return showMembers(reading, type, sets, value as Plain)
  if (!isAbstractType(type)) return value
  const known = reading.schema.getType((value as Plain).__typename as string) as GraphQLObjectType
  return showMembers(reading, known, sets, value as Plain)
}

function showMembers(
  reading: Reading,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  value: Plain,
): Plain {
  const members = collectFields(reading, type, sets).map((selected) => {
    if (selected.name === '__typename') return [selected.key, type.name]
    const member = value[selected.name]
    const plain = typeof member === 'function' ? member() : member
    return [selected.key, showPlain(reading, type.getFields()[selected.name]!.type, setsOf(selected), plain)]
  })
  return Object.fromEntries(members)
}
