import { type ASTNode, GraphQLError, Kind, type ValidationRule } from 'graphql'

/** Names of the fields around a node, itself the last. */
function pathOf(ancestors: readonly (ASTNode | readonly ASTNode[])[], node: ASTNode): string {
  return [...ancestors, node]
    .flatMap((one) => ('kind' in one && one.kind === Kind.FIELD ? [(one.alias ?? one.name).value] : []))
    .join('/')
}

/** A field has to be there, unless it is asked for optionally. (docs/reference/api/graphql.md#errors) */
export const knownFields: ValidationRule = (context) => ({
  Field(node, _key, _parent, _path, ancestors) {
    const type = context.getParentType()
    if (!type || context.getFieldDef()) return undefined
    if (node.directives?.some(({ name }) => name.value === 'optional')) return false
    const name = node.name.value
    context.reportError(
      new GraphQLError(
        `Validation error (FieldUndefined@[${pathOf(ancestors, node)}]) : Field '${name}' in type '${type.name}' is undefined`,
        { nodes: node },
      ),
    )
    return undefined
  },
})
