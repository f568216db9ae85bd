/** Watches the statements of some work, and ends them when its time is up. */
export interface Watch {
  /** The org that the work belongs to; undefined for the server's own work. */
  readonly orgId?: string | undefined
  /** The object it concerns, if known when a connection is needed. */
  readonly object?: string | undefined
  /** Why no further statement may begin; undefined while there is time. */
  readonly over?: Error | undefined
  /** Registers a task for when the time is up; returns a function that unregisters it. Absent: no time limit. */
  whenOver?(task: () => void): () => void
  /** Called for each statement that has ended, with its text, which holds no values, and its duration with all waits. */
  reported(text: string, milliseconds: number): void
  /** Called when an operation was not executed because the time is up. */
  stopped?(): void
}

/** @throws the reason, if the time is up */
export function throwIfOver(watch: Watch): void {
  if (watch.over === undefined) return
  watch.stopped?.()
  throw watch.over
}
