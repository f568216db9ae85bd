/** Tokens that a build replaces in files before it deploys a project, by the prefix of its package. */
const TOKEN =
  /%%%(?:ALWAYS_NAMESPACE|NAMESPACED_ORG|NAMESPACED_RT|NAMESPACE|NAMESPACED_ORG_OR_C|NAMESPACE_OR_C|NAMESPACE_DOT|MANAGED_OR_NAMESPACED_ORG)%%%/g

/** The older form, which only formulas have: elsewhere it may be a part of a name. */
const OLD_TOKEN = /__NAMESPACE__/g

/** The names of files have tokens of another form. */
const PATH_TOKEN = /___(?:NAMESPACE|NAMESPACED_ORG|MANAGED_OR_NAMESPACED_ORG)___/g

/** A file as a project without a namespace has it. */
export const removeBuildTokens = (text: string): string => text.replaceAll(TOKEN, '')

/** A formula of it. */
export const removeFormulaTokens = (formula: string): string =>
  removeBuildTokens(formula).replaceAll(OLD_TOKEN, '')

/** The path of it. */
export const removePathTokens = (path: string): string => path.replaceAll(PATH_TOKEN, '')
