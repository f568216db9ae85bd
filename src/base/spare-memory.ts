import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** As much space for new objects as makes collecting them cheap, in bytes. */
const ENOUGH = 16 * 1024 * 1024

/** Factor by which V8 grows the space when many new objects survive: its default, set so that it stays so. */
const GROWS = 2
const STAYS = 1

let factor = GROWS
/** The bounds of those who hold the space small now, in bytes. */
const bounds: number[] = []
let isStarting = false

function setFactor(wanted: number): void {
  if (wanted === factor) return
  factor = wanted
  setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
}

function adjust(): void {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  const hasEnough = space !== undefined && bounds.some((enough) => space.space_size >= enough)
  setFactor(isStarting || hasEnough ? STAYS : GROWS)
}

const watch = new PerformanceObserver(adjust)

/**
 * Holds the heap's space for new objects small. Who makes millions of objects that live for a moment would else be given 128 MB for
 * them, which makes that no faster. V8 takes no size once it runs, but it can be told to stop growing; and to grow again, because
 * it shrinks the space while there is nothing to do.
 * @param enough size that it grows to, in bytes
 * @returns what ends it
 */
export function spareMemory(enough = ENOUGH): () => void {
  if (bounds.push(enough) === 1) watch.observe({ entryTypes: ['gc'] })
  adjust()
  return () => {
    bounds.splice(bounds.indexOf(enough), 1)
    if (bounds.length === 0) watch.disconnect()
    adjust()
  }
}

/**
 * Keeps that space at its first size while the server starts. Modules and snapshots are made then, which stay: space that grew for
 * them would lie idle afterwards.
 */
export async function startSparely<T>(start: () => Promise<T>): Promise<T> {
  isStarting = true
  adjust()
  try {
    return await start()
  } finally {
    isStarting = false
    adjust()
  }
}
