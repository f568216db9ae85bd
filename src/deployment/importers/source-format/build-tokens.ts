/** Tokens that a build replaces before it deploys a project, like its own prefix of objects and fields. */
const TOKEN = /%%%(?:NAMESPACE|NAMESPACED_ORG|NAMESPACE_OR_C|NAMESPACE_DOT)%%%|__NAMESPACE__/g

/** A formula as a project without a namespace has it. */
export const removeBuildTokens = (formula: string): string => formula.replaceAll(TOKEN, '')
