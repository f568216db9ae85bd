import { makePauses, SLICE_MS } from './make-pauses.ts'

/** Does the work of a generator without a pause. */
export function drain<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** The end of the work that started last. Interleaved slices of several works would together hold the event loop. */
let last: Promise<unknown> = Promise.resolve()

async function run<Result>(work: Generator<void, Result>, deadline?: AbortSignal): Promise<Result> {
  const pauseIfDue = makePauses()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    const pause = pauseIfDue()
    if (pause === undefined) continue
    await pause
    deadline?.throwIfAborted()
  }
}

/**
 * Runs long work in slices, and handles other events wherever it yields. A process runs one such work at a time, in order
 * of arrival; each ends at its deadline, if it has one.
 */
export async function runInSlices<Result>(
  makeWork: () => Generator<void, Result>,
  deadline?: AbortSignal,
): Promise<Result> {
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  last = promise
  try {
    await before
    deadline?.throwIfAborted()
    return await run(makeWork(), deadline)
  } finally {
    resolve()
  }
}

/** So many steps are taken before the clock is looked at again. */
const STEPS_PER_LOOK = 8

/** Runs work that is mostly short: what is not done after the time of a slice waits for its turn, and goes on in slices. */
export function runQuickly<Result>(
  work: Generator<void, Result>,
  deadline?: () => AbortSignal,
): Result | Promise<Result> {
  const began = performance.now()
  for (let step = 1; ; step++) {
    const { done, value } = work.next()
    if (done) return value
    if (step % STEPS_PER_LOOK !== 0) continue
    if (performance.now() - began >= SLICE_MS) return runInSlices(() => work, deadline?.())
  }
}
