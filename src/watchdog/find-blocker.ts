import type { BlockedBy } from '../base/observation.ts'
import { FIND_REQUEST } from './cells.ts'
import {
  type Frame,
  type Interrupted,
  type Interruption,
  interruptMainThread,
} from './interrupt-main-thread.ts'

/** The innermost calls are told; those around them are the same for every request. */
const MAX_FRAMES = 20

/** As in the stack of an error. */
const frameText = ({ functionName, url, line, column }: Frame) =>
  `at ${functionName || '<anonymous>'} (${url || '<anonymous>'}:${line + 1}:${column + 1})`

function blockerIn({ frames, value }: Interrupted): BlockedBy {
  return { ...(value as object | undefined), stack: frames.slice(0, MAX_FRAMES).map(frameText).join('\n') }
}

export interface BlockerSearch {
  /** Undefined: it was cancelled before the main thread could be paused. */
  readonly found: Promise<BlockedBy | undefined>
  cancel: Interruption['cancel']
}

/** Finds out what the main thread is doing, and for which request. */
export function findBlocker(): BlockerSearch {
  const { done, cancel } = interruptMainThread(
    `globalThis[Symbol.for(${JSON.stringify(FIND_REQUEST.description)})]?.()`,
  )
  return { found: done.then((interrupted) => interrupted && blockerIn(interrupted)), cancel }
}
