import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
} from 'graphql'
import type { OrgSchema } from '../types/org-schema.ts'
import { getArguments, type Variables } from './variables.ts'

/** The context for reading a document's selections. */
export interface DecodeContext {
  readonly schema: OrgSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Only variables of `@skip` and `@include` matter here. */
  readonly variables: Variables
}

/** A field of a selection by the key that it has in the result; more than one node where it is written several times. */
export interface Selected {
  readonly key: string
  readonly name: string
  readonly nodes: readonly FieldNode[]
}

/** `@skip` and `@include`. */
function isLeftOut(directives: readonly DirectiveNode[] | undefined, variables: Variables): boolean {
  return (directives ?? []).some(({ name, arguments: args }) => {
    if (name.value === 'skip') return getArguments(args, variables).if === true
    return name.value === 'include' && getArguments(args, variables).if === false
  })
}

function applies(schema: OrgSchema, condition: NamedTypeNode | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition.name.value === type.name) return true
  const named = schema.getType(condition.name.value)
  return isAbstractType(named) && schema.isSubType(named, type)
}

/** True if a selection names a type: `... on User { }`. */
export function namesType(
  { fragments }: DecodeContext,
  sets: readonly SelectionSetNode[],
  type: string,
): boolean {
  return sets.some(({ selections }) =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return false
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value)! : selection
      const named = fragment.typeCondition?.name.value === type
      return named || namesType({ fragments } as DecodeContext, [fragment.selectionSet], type)
    }),
  )
}

/**
 * The fields that selections request of a type, in order. Fields that the type lacks were requested with `@optional`
 * and are omitted.
 */
export function collectFields(
  decodeContext: DecodeContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): readonly Selected[] {
  const found = new Map<string, FieldNode[]>()
  const spread = new Set<string>()
  const visit = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (isLeftOut(selection.directives, decodeContext.variables)) continue
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        const nodes = found.get(key)
        if (nodes === undefined) found.set(key, [selection])
        else nodes.push(selection)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(decodeContext.schema, selection.typeCondition, type)) visit(selection.selectionSet)
      } else {
        const { value: name } = selection.name
        const fragment = decodeContext.fragments.get(name)!
        if (spread.has(name) || !applies(decodeContext.schema, fragment.typeCondition, type)) continue
        spread.add(name)
        visit(fragment.selectionSet)
      }
    }
  }
  sets.forEach(visit)
  const fields = type.getFields()
  return [...found]
    .map(([key, nodes]) => ({ key, name: nodes[0]!.name.value, nodes }))
    .filter(({ name }) => name.startsWith('__') || fields[name] !== undefined)
}

/** The selection sets of a field. */
export const getSelectionSets = ({ nodes }: Selected): readonly SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
