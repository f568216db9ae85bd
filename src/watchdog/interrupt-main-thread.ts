import { type Debugger, Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long the main thread may stay paused, in milliseconds. It takes a few. */
const MAX_PAUSE_MS = 1000

/** A function that the main thread is in; the lines and columns of the inspector begin with 0. */
export interface Frame {
  readonly functionName: string
  readonly url: string
  readonly line: number
  readonly column: number
}

/** What the main thread was found at. */
export interface Interrupted {
  /** The innermost first. */
  readonly frames: readonly Frame[]
  /** What the expression came to; undefined: it failed. */
  readonly value: unknown
}

export interface Interruption {
  /** Undefined: it was cancelled before the main thread could be paused. */
  readonly done: Promise<Interrupted | undefined>
  /** Detaches, and lets the main thread go on if it is paused. */
  cancel(): void
}

/**
 * Pauses the main thread for a moment and evaluates an expression in the context of what it is doing. Native code cannot be paused: the
 * pause comes when that returns, unless it is cancelled before.
 */
export function interruptMainThread(expression: string): Interruption {
  const { promise: done, resolve } = Promise.withResolvers<Interrupted | undefined>()
  const session = new Session()
  session.connectToMainThread()
  let isDetached = false
  const detach = (interrupted?: Interrupted) => {
    if (isDetached) return
    isDetached = true
    // Ends a pause too.
    session.disconnect()
    resolve(interrupted)
  }
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url))
  const describe = ({ functionName, location }: Debugger.CallFrame): Frame => ({
    functionName,
    url: urls.get(location.scriptId) ?? '',
    line: location.lineNumber,
    column: location.columnNumber ?? 0,
  })
  const look = async (callFrames: readonly Debugger.CallFrame[]) => {
    const frames = callFrames.map(describe)
    void sleep(MAX_PAUSE_MS).then(() => detach({ frames, value: undefined }))
    let value: unknown
    try {
      // Not in a frame, whose variables may hide what the expression names.
      const evaluated = await session.post('Runtime.evaluate', {
        expression,
        returnByValue: true,
        silent: true,
      })
      value = evaluated.exceptionDetails === undefined ? evaluated.result.value : undefined
      await session.post('Debugger.resume')
    } finally {
      detach({ frames, value })
    }
  }
  session.once('Debugger.paused', ({ params }) => void look(params.callFrames).catch(() => {}))
  // They fail when the session is closed before they are carried out.
  for (const command of ['Debugger.enable', 'Debugger.pause'] as const) {
    session.post(command).catch(() => {})
  }
  return { done, cancel: () => detach() }
}
