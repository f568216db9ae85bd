import { ApiError } from '../base/api-error.ts'

/**
 * Nothing of that name comes with the deployment.
 * @param there what comes with it; undefined: the server has no deployment, or one without code
 */
export function noneOfThat(
  what: 'resource' | 'job',
  named: string,
  there: readonly { readonly name: string }[] = [],
): ApiError {
  const names = there.map(({ name }) => name).sort()
  const others = names.length === 0 ? 'It has none' : `There are ${names.join(', ')}`
  return new ApiError(
    'NOT_FOUND',
    `The deployment has no ${what} ${named.slice(0, 255).replaceAll('\0', '')}. ${others}`,
  )
}
