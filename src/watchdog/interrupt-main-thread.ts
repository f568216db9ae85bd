import { type Debugger, Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long the main thread may stay paused. A pause usually takes a few milliseconds. */
const MAX_PAUSE_MS = 1000

/** A stack frame of the main thread; as in the inspector, lines and columns start with 0. */
export interface Frame {
  readonly functionName: string
  readonly url: string
  readonly line: number
  readonly column: number
}

/** Code that the main thread was executing. */
export interface Interrupted {
  /** Innermost first. */
  readonly frames: readonly Frame[]
  /** The value of the expression; undefined if it failed. */
  readonly value: unknown
}

export interface Interruption {
  /** Undefined if it was cancelled before the main thread could be paused. */
  readonly done: Promise<Interrupted | undefined>
  /** Detaches, and resumes the main thread if it is paused. */
  cancel(): void
}

/**
 * Pauses the main thread briefly and evaluates an expression in its context. Native code cannot be paused: the pause starts
 * when that returns, unless it is cancelled before.
 */
export function interruptMainThread(expression: string): Interruption {
  const { promise: done, resolve } = Promise.withResolvers<Interrupted | undefined>()
  const session = new Session()
  session.connectToMainThread()
  let isDetached = false
  const detach = (interrupted?: Interrupted) => {
    if (isDetached) return
    isDetached = true
    // This also ends a pause.
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
      // Evaluated globally: in a frame, local variables could hide the names that the expression uses.
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
  // They fail if the session is closed before they are carried out.
  for (const command of ['Debugger.enable', 'Debugger.pause'] as const) {
    session.post(command).catch(() => {})
  }
  return { done, cancel: () => detach() }
}
