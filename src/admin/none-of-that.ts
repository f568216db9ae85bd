import { ApiError } from '../base/api-error.ts'

/**
 * Makes the error for an unknown resource or job.
 * @param there the resources or jobs of the deployment; undefined when there is no deployed code
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
