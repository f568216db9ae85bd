import { GraphQLError, type ValidationRule } from 'graphql'

/** Rejects unknown types. */
export const knownTypesRule: ValidationRule = (context) => ({
  NamedType(node) {
    const name = node.name.value
    if (context.getSchema().getType(name) !== undefined) return
    context.reportError(
      new GraphQLError(`Validation error (UnknownType) : Unknown type '${name}'`, { nodes: node }),
    )
  },
})
