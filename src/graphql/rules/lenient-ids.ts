import { type ValidationContext, type ValidationRule, VariablesInAllowedPositionRule } from 'graphql'

const ID_FOR_REFERENCE = /of type "ID!?" used in position expecting type "IdOrRef!?"/

/** Variables fit where they stand; one of ids does so for `IdOrRef` too, as clients write it. (docs/reference/api/graphql.md#mutations) */
export const lenientIds: ValidationRule = (context) => {
  const lenient: ValidationContext = Object.create(context, {
    reportError: {
      value: (error: Parameters<ValidationContext['reportError']>[0]) => {
        if (!ID_FOR_REFERENCE.test(error.message)) context.reportError(error)
      },
    },
  })
  return VariablesInAllowedPositionRule(lenient)
}
