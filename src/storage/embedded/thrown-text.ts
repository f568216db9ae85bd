/** An error as plain data for sending between threads: structured cloning would lose its code and PostgreSQL's details. */
export interface ThrownText {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly members: Readonly<Record<string, string | number>>
}

export function writeThrown(thrown: unknown): ThrownText {
  const { name = 'Error', message = String(thrown), stack } = (thrown ?? {}) as Partial<Error>
  const members = Object.entries((thrown ?? {}) as object).filter(([, value]) =>
    ['string', 'number'].includes(typeof value),
  )
  return { name, message, stack, members: Object.fromEntries(members) }
}

export function readThrown({ name, message, stack, members }: ThrownText): Error {
  const error = new Error(message)
  Object.assign(error, members)
  Object.defineProperty(error, 'name', { value: name })
  Object.defineProperty(error, 'stack', { value: stack })
  return error
}
