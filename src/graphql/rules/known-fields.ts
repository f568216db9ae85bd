import { type ASTNode, GraphQLError, Kind, type ValidationRule } from 'graphql'

/** Path of field names to a node. */
function formatPath(ancestors: readonly (ASTNode | readonly ASTNode[])[], node: ASTNode): string {
  return [...ancestors, node]
    .flatMap((one) => ('kind' in one && one.kind === Kind.FIELD ? [(one.alias ?? one.name).value] : []))
    .join('/')
}

/** Rejects unknown fields, unless they are requested with `@optional`. (docs/reference/api/graphql.md#errors) */
export const knownFieldsRule: ValidationRule = (context) => ({
  Field(node, _key, _parent, _path, ancestors) {
    const type = context.getParentType()
    if (!type || context.getFieldDef()) return undefined
    if (node.directives?.some(({ name }) => name.value === 'optional')) return false
    const name = node.name.value
    context.reportError(
      new GraphQLError(
        `Validation error (FieldUndefined@[${formatPath(ancestors, node)}]) : Field '${name}' in type '${type.name}' is undefined`,
        { nodes: node },
      ),
    )
    return undefined
  },
})
