import { oncePer } from '../../base/get-or-insert.ts'
import type { Db } from './db.ts'
import { OutcomeUnknown } from './pg-error.ts'
import { throwIfOver, type Watch } from './watch.ts'

/**
 * Work that several calls can have done at once, such as reading records of one object by id. The object itself is the key:
 * only items of the same work are put together.
 */
export interface CoalescedWork<Item, Result> {
  /**
   * Does the work for at least one item, atomically: if it throws, nothing was done for any item.
   * @returns a result for each item, in order
   */
  run(db: Db, items: readonly Item[]): Promise<readonly Result[]>
  /** True if the item with this result has been written; absent for work that only reads. */
  wrote?(result: Result): boolean
}

/** Number of runs of one work at the same time. What comes meanwhile is put together in the next one. */
const MAX_RUNNING = 1

/** Maximum number of items in one run. */
const MAX_ITEMS = 50

/** A run may take so many times as long as the fastest of the last ones: the database, or the way to it, may be slow. */
const MAX_TIMES_FASTEST = 3

/** Number of runs of one work whose times are kept. */
const KEPT_TIMES = 8

/** An item waits no longer than this for other runs, in milliseconds. */
const MAX_WAIT_MS = 5

interface Waiter {
  readonly item: unknown
  readonly db: Db
  readonly watch: Watch | undefined
  settle(result: unknown): void
  fail(reason: unknown): void
}

type AnyWork = CoalescedWork<unknown, unknown>

/** Running and waiting items of one kind of work. */
interface Queue {
  readonly waiting: Waiter[]
  running: number
  timer: NodeJS.Timeout | undefined
  /** How long the last runs took that succeeded, in milliseconds. */
  readonly times: number[]
}

async function timed<T>({ times }: Queue, run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await run()
  if (times.push(performance.now() - began) > KEPT_TIMES) times.shift()
  return result
}

/** Watches a run of several items: it ends when it takes too long, or when the time of one of the calls is up. */
class RunWatch implements Watch {
  readonly orgId: string | undefined
  readonly object: string | undefined
  readonly reported: Watch['reported']
  over: Error | undefined
  readonly #tasks = new Set<() => void>()
  readonly #timer: NodeJS.Timeout | undefined
  readonly #forget: readonly ((() => void) | undefined)[]

  constructor(waiters: readonly Waiter[], maxRunMs: number | undefined) {
    const first = waiters[0]!.watch
    this.orgId = first?.orgId
    this.object = first?.object
    // A shared statement is reported once, for the first of the calls.
    this.reported = (text, milliseconds) => first?.reported(text, milliseconds)
    const end = () => this.#end()
    if (maxRunMs !== undefined) this.#timer = setTimeout(end, maxRunMs).unref()
    // Nobody leaves before it is known whether the run has written something.
    this.#forget = waiters.map(({ watch }) => watch?.whenOver?.(end))
  }

  whenOver(task: () => void): () => void {
    this.#tasks.add(task)
    return () => void this.#tasks.delete(task)
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const one of this.#forget) one?.()
  }

  #end(): void {
    if (this.over !== undefined) return
    this.over = new Error('The work for several calls was ended')
    for (const task of this.#tasks) task()
  }
}

/** Does work of several calls in one statement where it comes faster than the database answers. */
export class Coalescer {
  readonly #makeDb: (watch: Watch) => Db
  readonly #maxRunMs: number | undefined
  readonly #queueOf = oncePer<AnyWork, Queue>(() => ({
    waiting: [],
    running: 0,
    timer: undefined,
    times: [],
  }))

  /**
   * @param makeDb makes the `Db` of a run for several calls
   * @param maxRunMs a run of several items is ended after this time, and each is tried alone; it has more where all runs of the work
   *   take long; undefined: no limit
   */
  constructor(makeDb: (watch: Watch) => Db, maxRunMs?: number) {
    this.#makeDb = makeDb
    this.#maxRunMs = maxRunMs
  }

  /**
   * Does the work for one item. The first item starts at once; what comes while the work runs shares the next run. If that
   * fails, each item is tried alone, so that one call never gets the error of another.
   * @param db of the call that the item belongs to
   */
  async run<Item, Result>(
    work: CoalescedWork<Item, Result>,
    item: Item,
    db: Db,
    watch: Watch | undefined,
  ): Promise<Result> {
    const queue = this.#queueOf(work as AnyWork)
    if (queue.running < MAX_RUNNING && queue.waiting.length === 0) {
      queue.running++
      try {
        return (await timed(queue, () => work.run(db, [item])))[0]!
      } finally {
        this.#ended(work as AnyWork, queue)
      }
    }
    if (watch !== undefined) throwIfOver(watch)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    queue.waiting.push({ item, db, watch, settle: resolve as (result: unknown) => void, fail: reject })
    queue.timer ??= setTimeout(() => {
      queue.timer = undefined
      this.#runNext(work as AnyWork, queue)
    }, MAX_WAIT_MS).unref()
    return promise
  }

  #ended(work: AnyWork, queue: Queue): void {
    queue.running--
    if (queue.waiting.length > 0) this.#runNext(work, queue)
  }

  #runNext(work: AnyWork, queue: Queue): void {
    clearTimeout(queue.timer)
    queue.timer = undefined
    const waiters = queue.waiting.splice(0, MAX_ITEMS)
    if (waiters.length === 0) return
    queue.running++
    const ran =
      waiters.length === 1 ? runAlone(work, queue, waiters[0]!) : this.#runTogether(work, queue, waiters)
    void ran.finally(() => this.#ended(work, queue))
  }

  async #runTogether(work: AnyWork, queue: Queue, waiters: readonly Waiter[]): Promise<void> {
    const run = new RunWatch(waiters, this.#findMaxMs(queue))
    try {
      const items = waiters.map(({ item }) => item)
      const results = await timed(queue, () => work.run(this.#makeDb(run), items))
      waiters.forEach(({ settle }, index) => {
        settle(results[index])
      })
    } catch (error) {
      if (error instanceof OutcomeUnknown) for (const { fail } of waiters) fail(error)
      else for (const waiter of waiters) void runAlone(work, queue, waiter)
    } finally {
      run.close()
    }
  }

  /** A wait for a lock shows beside runs that waited for none. */
  #findMaxMs({ times }: Queue): number | undefined {
    if (this.#maxRunMs === undefined || times.length === 0) return this.#maxRunMs
    return Math.max(this.#maxRunMs, MAX_TIMES_FASTEST * Math.min(...times))
  }
}

async function runAlone(work: AnyWork, queue: Queue, { item, db, settle, fail }: Waiter): Promise<void> {
  try {
    settle((await timed(queue, () => work.run(db, [item])))[0])
  } catch (error) {
    fail(error)
  }
}
