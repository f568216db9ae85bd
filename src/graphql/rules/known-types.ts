import { GraphQLError, type ValidationRule } from 'graphql'

/** A type that a document names has to be there. */
export const knownTypes: ValidationRule = (context) => ({
  NamedType(node) {
    const name = node.name.value
    if (context.getSchema().getType(name) !== undefined) return
    context.reportError(
      new GraphQLError(`Validation error (UnknownType) : Unknown type '${name}'`, { nodes: node }),
    )
  },
})
