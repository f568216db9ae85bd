import type { ThrownError } from './messages.ts'

/** A deployed function threw. */
export class ScriptError extends Error {
  readonly thrown: ThrownError

  constructor(thrown: ThrownError) {
    super(`${thrown.name}: ${thrown.message}`)
    this.thrown = thrown
  }
}

/** A deployed function took longer than it may. */
export class ScriptTimeout extends Error {}

/** The thread of a deployed function ended under it: it, or one that ran beside it, used too much of something. */
export class ThreadEnded extends Error {}
