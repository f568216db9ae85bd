import type { BlockedBy } from '../base/observation.ts'
import { nameSources } from '../base/source-locations.ts'
import { FIND_REQUEST } from './cells.ts'
import {
  type Frame,
  type Interrupted,
  type Interruption,
  interruptMainThread,
} from './interrupt-main-thread.ts'

/** Number of innermost frames that are logged; those around them are the same for every request. */
const MAX_FRAMES = 20

/** A frame as in the stack of an error. */
const frameText = ({ functionName, url, line, column }: Frame) =>
  `at ${functionName || '<anonymous>'} (${url || '<anonymous>'}:${line + 1}:${column + 1})`

function blockerIn({ frames, value }: Interrupted): BlockedBy {
  const stack = nameSources(frames.slice(0, MAX_FRAMES).map(frameText).join('\n'))
  return { ...(value as object | undefined), stack }
}

export interface BlockerSearch {
  /** Undefined if the search was cancelled before the main thread could be paused. */
  readonly found: Promise<BlockedBy | undefined>
  cancel: Interruption['cancel']
}

/** Finds what the main thread is executing, and for which request. */
export function findBlocker(): BlockerSearch {
  const { done, cancel } = interruptMainThread(
    `globalThis[Symbol.for(${JSON.stringify(FIND_REQUEST.description)})]?.()`,
  )
  return { found: done.then((interrupted) => interrupted && blockerIn(interrupted)), cancel }
}
