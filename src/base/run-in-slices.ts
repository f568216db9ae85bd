import { setImmediate } from 'node:timers/promises'

/** How long the event loop is held at a time. */
const SLICE_MS = 15

/** The end of the work that began last: pieces of several works between each other would hold the loop together. */
let last: Promise<unknown> = Promise.resolve()

async function run<Result>(work: Generator<void, Result>, deadline: AbortSignal): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - began < SLICE_MS) continue
    await setImmediate()
    deadline.throwIfAborted()
    began = performance.now()
  }
}

/**
 * Work that takes long, in pieces: it yields where it may pause, and others are served between. One such work at a time is
 * done in a process, in the order of their coming; each ends at its deadline.
 */
export async function runInSlices<Result>(
  makeWork: () => Generator<void, Result>,
  deadline: AbortSignal,
): Promise<Result> {
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  last = promise
  try {
    await before
    deadline.throwIfAborted()
    return await run(makeWork(), deadline)
  } finally {
    resolve()
  }
}
