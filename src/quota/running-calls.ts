import { ApiError } from '../base/api-error.ts'
import type { Watch } from '../storage/database/watch.ts'

/** How often calls are looked at that may be over, in milliseconds. */
const LOOK = 250

const over = () =>
  new ApiError('REQUEST_RUNNING_TOO_LONG', 'Your request was running for too long, and has been stopped.')

const stopping = () =>
  new ApiError('SERVER_UNAVAILABLE', 'The server is stopping. Your request was cancelled.')

/** A call that this process is carrying out. It watches over its own statements. */
export class RunningCall implements Watch {
  readonly orgId: string
  /** On the clock of `performance.now`. */
  readonly startedAt = performance.now()
  /** What it works on, in lower case; undefined: many objects, or none. */
  object: string | undefined
  /** How many statements it has had carried out so far. */
  statements = 0
  #isStopped = false
  #over: ApiError | undefined
  /** Made for those who ask: most calls are done before anybody does. */
  #abort: AbortController | undefined
  #tasks: Set<() => void> | undefined
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

  /** Why the call has to end; undefined: it has time. */
  get over(): ApiError | undefined {
    return this.#over
  }

  whenOver(task: () => void): () => void {
    this.#tasks ??= new Set()
    this.#tasks.add(task)
    return () => void this.#tasks?.delete(task)
  }

  /** Whether something that the call asked for was not done, because its time was up. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  reported(text: string, milliseconds: number): void {
    this.statements++
    this.#report(text, milliseconds)
  }

  stopped(): void {
    this.#isStopped = true
  }

  /** @param reason what the caller is answered with */
  stop(reason = over()): void {
    this.#over = reason
    this.#abort?.abort(this.#over)
    for (const task of this.#tasks ?? []) task()
  }

  /** To be called whatever has become of the call. */
  end(): void {
    this.#calls.delete(this)
  }
}

/** The calls that this process is carrying out; those that have run for too long are stopped. */
export class RunningCalls {
  /** The oldest comes first. */
  readonly #calls = new Set<RunningCall>()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined

  /** @param seconds after which a call is stopped */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /** @param tell is told of each statement that has ended */
  begin(orgId: string, report: Watch['reported'] = () => {}): RunningCall {
    const call = new RunningCall(orgId, this.#calls, report)
    this.#calls.add(call)
    this.#timer ??= setInterval(() => this.#look(), LOOK).unref()
    return call
  }

  /** How many are running, of all orgs. */
  get count(): number {
    return this.#calls.size
  }

  has(orgId: string): boolean {
    for (const call of this.#calls) if (call.orgId === orgId) return true
    return false
  }

  /** How many calls of an org have been running for longer than that. */
  longCount(orgId: string, seconds: number): number {
    let count = 0
    for (const call of this.#olderThan(seconds * 1000)) if (call.orgId === orgId) count++
    return count
  }

  /** Cancels every call: the process ends. */
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

  #look(): void {
    for (const call of this.#olderThan(this.#milliseconds)) if (call.over === undefined) call.stop()
    if (this.#calls.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
