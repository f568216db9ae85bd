import { ApiError } from '../base/api-error.ts'
import type { Watch } from '../storage/database/watch.ts'

/** Interval of looking for calls that ran too long. */
const CHECK_INTERVAL_MS = 250

/** How much is kept of the statements of a call. */
const MAX_LISTED = 20
const MAX_LISTED_CHARACTERS = 1000

const over = () =>
  new ApiError('REQUEST_RUNNING_TOO_LONG', 'Your request was running for too long, and has been stopped.')

const stopping = () =>
  new ApiError('SERVER_UNAVAILABLE', 'The server is stopping. Your request was cancelled.')

/** How many texts of encrypted fields are noted of a call. */
const MAX_SECRETS = 1000

/** Whom an answer is sent to. */
export interface Recipient {
  /** Bytes that it has taken. */
  readonly taken: number
  /** True if there are more for it to take. */
  readonly isBehind: boolean
  /** Ends its connection. */
  cut(): void
}

/** A call that this process is carrying out. It also watches the statements of the call. */
export class RunningCall implements Watch {
  readonly orgId: string
  /** On the clock of `performance.now`. */
  readonly startedAt = performance.now()
  /** Name of the object it concerns, in lower case; undefined: several objects or none. */
  object: string | undefined
  /** Number of statements executed so far. */
  statements = 0
  /** How long they took in all, in milliseconds. */
  databaseMs = 0
  /** The first of them, their texts cut. */
  readonly statementList: { readonly sql: string; readonly ms: number }[] = []
  /** Texts of encrypted fields that it read or wrote. Undefined: too many to tell. */
  secrets: Set<string> | undefined = new Set()
  /** True while it only waits for memory that other calls have. */
  isWaiting = false
  #isStopped = false
  #isAnswered = false
  #over: ApiError | undefined
  /** Created on first use: most calls end without it. */
  #abort: AbortController | undefined
  #tasks: Set<() => void> | undefined
  #whenMade: ((recipient: Recipient) => void) | undefined
  #whenEnded: (() => void) | undefined
  readonly #calls: Set<RunningCall>
  readonly #report: Watch['reported']

  constructor(orgId: string, calls: Set<RunningCall>, report: Watch['reported']) {
    this.orgId = orgId
    this.#calls = calls
    this.#report = report
  }

  /** Aborts when the call has to end. */
  get deadline(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#over !== undefined) this.#abort.abort(this.#over)
    return this.#abort.signal
  }

  /** Why the call has to end; undefined while it may go on. */
  get over(): ApiError | undefined {
    return this.#over
  }

  whenOver(task: () => void): () => void {
    this.#tasks ??= new Set()
    this.#tasks.add(task)
    return () => void this.#tasks?.delete(task)
  }

  /** True if an operation of the call was not executed because its time was up. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  reported(text: string, milliseconds: number): void {
    this.statements++
    this.databaseMs += milliseconds
    if (this.statementList.length < MAX_LISTED) {
      const sql = text.length > MAX_LISTED_CHARACTERS ? `${text.slice(0, MAX_LISTED_CHARACTERS)}…` : text
      this.statementList.push({ sql, ms: Math.round(milliseconds * 100) / 100 })
    }
    this.#report(text, milliseconds)
  }

  /** Notes a text of an encrypted field, which nothing that is kept of the call may have. */
  noteSecret(text: string): void {
    this.secrets?.add(text)
    if (this.secrets !== undefined && this.secrets.size > MAX_SECRETS) this.secrets = undefined
  }

  stopped(): void {
    this.#isStopped = true
  }

  /** @param reason the error that the caller receives */
  stop(reason = over()): void {
    this.#over = reason
    this.#abort?.abort(this.#over)
    for (const task of this.#tasks ?? []) task()
  }

  /**
   * Called once the answer is made, and once the call has ended: the answer may be sent for long.
   * If it has ended, that is now.
   */
  whenAnswered(made: (recipient: Recipient) => void, ended: () => void): void {
    if (!this.#calls.has(this)) ended()
    else [this.#whenMade, this.#whenEnded] = [made, ended]
  }

  /** Must be called when the answer is made, before it is sent. */
  answered(recipient: Recipient): void {
    this.#isAnswered = true
    this.#whenMade?.(recipient)
  }

  /** True while the server works on it. */
  get isWorking(): boolean {
    return !this.isWaiting && !this.#isAnswered
  }

  /** Must be called when the call has ended, however it ended. */
  end(): void {
    this.#calls.delete(this)
    this.#whenEnded?.()
  }
}

/** The calls that this process is carrying out. Stops those that run for too long. */
export class RunningCalls {
  /** The oldest first. */
  readonly #calls = new Set<RunningCall>()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined

  /** @param seconds after which a call is stopped */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /** @param report receives each statement that has ended */
  begin(orgId: string, report: Watch['reported'] = () => {}): RunningCall {
    const call = new RunningCall(orgId, this.#calls, report)
    this.#calls.add(call)
    this.#timer ??= setInterval(() => this.#stopLateCalls(), CHECK_INTERVAL_MS).unref()
    return call
  }

  /** Number of running calls, of all orgs. */
  get count(): number {
    return this.#calls.size
  }

  has(orgId: string): boolean {
    for (const call of this.#calls) if (call.orgId === orgId) return true
    return false
  }

  /** Number of calls of an org that the server works on, and that began more than `seconds` ago. */
  longCount(orgId: string, seconds: number): number {
    let count = 0
    for (const call of this.#olderThan(seconds * 1000)) if (call.orgId === orgId && call.isWorking) count++
    return count
  }

  /** Cancels every call, because the process ends. */
  cancelAll(): void {
    for (const call of this.#calls) if (call.over === undefined) call.stop(stopping())
  }

  *#olderThan(milliseconds: number): Iterable<RunningCall> {
    const latest = performance.now() - milliseconds
    for (const call of this.#calls) {
      if (call.startedAt >= latest) return
      yield call
    }
  }

  #stopLateCalls(): void {
    for (const call of this.#olderThan(this.#milliseconds)) if (call.over === undefined) call.stop()
    if (this.#calls.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
