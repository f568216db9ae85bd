import { setImmediate } from 'node:timers/promises'

/** How long the event loop is held at a time, in milliseconds. */
export const SLICE_MS = 15

/**
 * For work of many parts that may each be short and wait for nothing: to be called between two of them.
 * @returns a function that gives a promise to wait for when others have to be served, else undefined
 */
export function makePauses(): () => Promise<void> | undefined {
  let began = performance.now()
  const pause = async () => {
    await setImmediate()
    began = performance.now()
  }
  return () => (performance.now() - began < SLICE_MS ? undefined : pause())
}
