import type { CustomName } from '../../schema/definitions/custom-name.ts'

/** Maximum length of a name without its namespace and suffix. */
const MAX_NAME_LENGTH = 40

/** Maximum length of a namespace: the prefix of a package. */
const MAX_NAMESPACE_LENGTH = 15

/** Why the part of a name before the first `__` cannot be the prefix of a package; undefined when it can. */
function findNamespaceProblem(namespace: string): string | undefined {
  if (namespace.length > MAX_NAMESPACE_LENGTH) {
    return `the prefix of a package is at most ${MAX_NAMESPACE_LENGTH} characters, which ${namespace} is not`
  }
  const isNamespace = /^[A-Za-z][A-Za-z0-9_]*$/.test(namespace) && !namespace.endsWith('_')
  return isNamespace ? undefined : 'the prefix of a package starts with a letter and does not end with _'
}

/** Why a name of letters, digits and underscores cannot be one of the org's own; undefined when it can. */
export function findNameProblem(
  { namespace, base }: CustomName,
  maxLength = MAX_NAME_LENGTH,
): string | undefined {
  const problem = namespace === undefined ? undefined : findNamespaceProblem(namespace)
  if (problem !== undefined) return problem
  if (base.length > maxLength) return `the name is longer than ${maxLength} characters`
  const isName = !base.includes('__') && !base.endsWith('_') && /^[A-Za-z]/.test(base)
  return isName
    ? undefined
    : 'a name has no two _ after each other but those behind the prefix of a package, none at its end, and begins with a letter'
}
