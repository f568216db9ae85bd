/** What a person at the terminal is told of anything that was thrown. */
export function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A name that stands for several addresses gives an error for each, and none of its own.
  if (error.message === '' && error instanceof AggregateError)
    return error.errors.map(getErrorMessage).join('; ')
  return error.message
}
