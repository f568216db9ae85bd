import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { collectFields, type DecodeContext, getSelectionSets } from '../document/collect-fields.ts'

/** Plain data; costly members are functions that return it. */
type Plain = Readonly<Record<string, unknown>>

/**
 * Selects members of plain data. For abstract types, `__typename` is the type of the value.
 */
export function selectPlain(
  decodeContext: DecodeContext,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  value: unknown,
): unknown {
  if (isNonNullType(type)) return selectPlain(decodeContext, type.ofType, sets, value)
  if (value === null || value === undefined) return null
  if (isListType(type))
    return (value as unknown[]).map((one) => selectPlain(decodeContext, type.ofType, sets, one))
  if (isObjectType(type)) return selectMembers(decodeContext, type, sets, value as Plain)
  if (!isAbstractType(type)) return value
  const known = decodeContext.schema.getType((value as Plain).__typename as string) as GraphQLObjectType
  return selectMembers(decodeContext, known, sets, value as Plain)
}

function selectMembers(
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
      selectPlain(decodeContext, type.getFields()[selected.name]!.type, getSelectionSets(selected), plain),
    ]
  })
  return Object.fromEntries(members)
}
