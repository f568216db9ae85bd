import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** As much space for new objects as makes collecting them cheap, in bytes. */
const ENOUGH = 16 * 1024 * 1024

const newSpace = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/**
 * Holds the heap's space for new objects small. Who makes millions of objects that live for a moment would else be given
 * 128 MB for them, which makes nothing faster. V8 takes no size once it runs, but it can be told to stop growing.
 */
export function spareMemory(): void {
  const watch = setInterval(() => {
    if (newSpace() < ENOUGH) return
    setFlagsFromString('--semi-space-growth-factor=1')
    clearInterval(watch)
  }, 5).unref()
}
