/** Who watches over the statements of some work, and ends them when its time is up. */
export interface Watch {
  /** Whose work it is; undefined: the server's own. */
  readonly orgId?: string
  /** The object that it works on, as far as it is known when a connection is needed. */
  readonly object?: string | undefined
  /** Why no further statement begins and each fails; undefined: there is time. */
  readonly over?: Error | undefined
  /** Has something done when the time is up; gives what takes that back. Absent: the work takes its time. */
  whenOver?(task: () => void): () => void
  /** Is told of each statement that has ended: its text, which holds no values, and how long it was waited for. */
  reported(text: string, milliseconds: number): void
  /** Is told when something was not done because the time is up. */
  stopped?(): void
}

/** @throws why the time is up, when it is */
export function throwIfOver(watch: Watch): void {
  if (watch.over === undefined) return
  watch.stopped?.()
  throw watch.over
}
