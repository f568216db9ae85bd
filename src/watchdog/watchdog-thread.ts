import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { destination, pino } from 'pino'
import type { BlockedBy } from '../base/observation.ts'
import { BEAT_MS, type BlockEnd, CELLS, type WatchdogData } from './cells.ts'
import { type BlockerSearch, findBlocker } from './find-blocker.ts'
import { interruptMainThread } from './interrupt-main-thread.ts'

/* The watchdog: a thread of its own, which goes on while the main thread is blocked. */

/** A block of the event loop is logged from this duration on. */
const MAX_SILENCE_MS = 1000

/** How long to wait for a stack. */
const STACK_TIMEOUT_MS = 1000

const NO_STACK = 'not available within a second: native code is running, or the machine is overloaded'

/** The exit code that shells show for a process ended by SIGKILL. */
const EXIT_CODE = 137

const { cells, heldWork, logLevel, exitSeconds } = workerData as WatchdogData

/** Same format as the main thread's log. Written synchronously, since the main thread is blocked. */
const log = pino({ level: logLevel }, destination({ fd: 1, sync: true }))

/** A period during which the event loop was blocked. */
interface Block {
  readonly search: BlockerSearch
  /** Facts known when the block was first logged. */
  readonly logged: Promise<BlockedBy | undefined>
}

let lastBeat = -1
let lastCheck = performance.now()
/** How long the event loop has been blocked, and how long of that without work that must not be interrupted, in milliseconds. */
let silence = 0
let unheldSilence = 0
let block: Block | undefined
let isEnding = false

const rounded = (milliseconds: number) => Math.round(milliseconds)

async function logBlock({ found }: BlockerSearch, milliseconds: number): Promise<BlockedBy | undefined> {
  const blocker = await Promise.race([found, sleep(STACK_TIMEOUT_MS, undefined)])
  log.warn({ milliseconds, ...(blocker ?? { stack: NO_STACK }) }, 'event loop blocked')
  return blocker
}

/** Makes the main thread log the end of the block; the stack is included only if it was not available at its start. */
async function endBlock({ search, logged }: Block, milliseconds: number): Promise<void> {
  const known = await logged
  search.cancel()
  const blocker = known === undefined ? await search.found : { method: known.method, route: known.route }
  parentPort!.postMessage({ milliseconds, ...blocker } satisfies BlockEnd)
}

async function endProcess(): Promise<void> {
  isEnding = true
  block?.search.cancel()
  writeSync(
    2,
    `Objectry ends itself: its event loop was blocked for ${exitSeconds} s (OBJECTRY_BLOCKED_EXIT_SECONDS).\n`,
  )
  process.kill(process.pid, 'SIGKILL')
  // The first process of a container cannot kill itself from this thread, so the main thread has to end it.
  await sleep(BEAT_MS)
  interruptMainThread(`globalThis.process.reallyExit(${EXIT_CODE})`)
}

function check(): void {
  const now = performance.now()
  // Time during which the whole process was suspended does not count.
  const elapsed = Math.min(now - lastCheck, 2 * BEAT_MS)
  lastCheck = now
  const beat = Atomics.load(cells, CELLS.beat)
  if (beat !== lastBeat) {
    if (block !== undefined) void endBlock(block, rounded(silence))
    block = undefined
    lastBeat = beat
    silence = 0
    unheldSilence = 0
    return
  }
  // The main thread may be stopped at a breakpoint.
  if (isEnding || Atomics.load(cells, CELLS.isInspected) === 1) return
  silence += elapsed
  if (Atomics.load(heldWork, 0) === 0) unheldSilence += elapsed
  if (silence >= MAX_SILENCE_MS && block === undefined) {
    const search = findBlocker()
    block = { search, logged: logBlock(search, rounded(silence)) }
  }
  if (exitSeconds !== undefined && unheldSilence >= exitSeconds * 1000) void endProcess()
}

setInterval(check, BEAT_MS)
