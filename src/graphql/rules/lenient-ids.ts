import { type ValidationContext, type ValidationRule, VariablesInAllowedPositionRule } from 'graphql'

const ID_FOR_REFERENCE = /of type "ID!?" used in position expecting type "IdOrRef!?"/

/** Checks the types of variables, but accepts ID for `IdOrRef`, as clients use it. (docs/reference/api/graphql.md#mutations) */
export const lenientIdsRule: ValidationRule = (context) => {
  const lenient: ValidationContext = Object.create(context, {
    reportError: {
      value: (error: Parameters<ValidationContext['reportError']>[0]) => {
        if (!ID_FOR_REFERENCE.test(error.message)) context.reportError(error)
      },
    },
  })
  return VariablesInAllowedPositionRule(lenient)
}
