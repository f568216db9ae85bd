import { addToHistory } from '../../api/history.ts'
import { makeTabStates } from '../../components/tabs/tab-states.ts'
import type { Edits } from './edits.ts'
import { QUERY_HISTORY, type Ran } from './history.ts'
import { type Asked, type Result, readNext, run } from './run.ts'

/* What the tabs have run. */

export interface Running {
  readonly result?: Result | undefined
  readonly error?: unknown
  readonly isRunning: boolean
  readonly edits: Edits
  /** The edits before each of the last steps, the latest first. */
  readonly earlier: readonly Edits[]
  /** When edits were saved, or refused, last. */
  readonly savedAt?: number
}

/** Steps that can be undone. */
const MAX_EARLIER = 100

const states = makeTabStates<Running>({ isRunning: false, edits: {}, earlier: [] })
const stops = new Map<string, AbortController>()
const { set } = states

export const useRunning = states.use

/** Ends what the tab is waiting for. The rows that came stay. */
export const stop = (id: string): void => stops.get(id)?.abort()

export const editsOf = (id: string): Edits => states.get(id).edits

/** Changes the edits as a step that can be undone. */
export function changeEdits(id: string, change: (edits: Edits) => Edits): void {
  const { edits: before, earlier } = states.get(id)
  set(id, { edits: change(before), earlier: [before, ...earlier].slice(0, MAX_EARLIER) })
}

export function undoEdit(id: string): void {
  const [before, ...earlier] = states.get(id).earlier
  if (before !== undefined) set(id, { edits: before, earlier })
}

/** What a save has left: rows as they are by now, and edits that were refused. */
export const setSaved = (id: string, result: Result, edits: Edits): void =>
  set(id, { result, edits, earlier: [], savedAt: Date.now() })

async function during(id: string, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
  stop(id)
  const controller = new AbortController()
  stops.set(id, controller)
  set(id, { isRunning: true, error: undefined })
  try {
    await act(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) set(id, { error })
  } finally {
    if (stops.get(id) === controller) {
      stops.delete(id)
      set(id, { isRunning: false })
    }
  }
}

export function start(id: string, asked: Asked): Promise<void> {
  const at = Date.now()
  const { language, text } = asked
  return during(id, async (signal) => {
    try {
      const result = await run(asked, signal)
      set(id, { result, edits: {}, earlier: [] })
      void addToHistory<Ran>(QUERY_HISTORY, {
        at,
        language,
        text,
        isFailed: false,
        rows: result.totalSize,
        durationMs: result.steps[0]!.durationMs,
      })
    } catch (error) {
      if (!signal.aborted) {
        // Earlier rows would look like the result of the query that failed.
        set(id, { result: undefined, edits: {}, earlier: [] })
        void addToHistory<Ran>(QUERY_HISTORY, {
          at,
          language,
          text,
          isFailed: true,
          rows: 0,
          durationMs: Date.now() - at,
        })
      }
      throw error
    }
  })
}

/** Reads the next page, or all that are left. */
export function readOn(id: string, isAll: boolean): Promise<void> {
  return during(id, async (signal) => {
    do {
      const before = states.get(id).result
      if (before?.next === undefined) return
      set(id, { result: await readNext(before, signal) })
    } while (isAll)
  })
}
