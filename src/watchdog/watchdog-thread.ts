import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { destination, pino } from 'pino'
import type { BlockedBy } from '../base/observation.ts'
import { BEAT_MS, type BlockEnd, CELLS, type WatchdogData } from './cells.ts'
import { type BlockerSearch, findBlocker } from './find-blocker.ts'
import { interruptMainThread } from './interrupt-main-thread.ts'

/* The watchdog: a thread of its own, which goes on while the main thread is blocked. */

/** How long the event loop may stand still without being told of, in milliseconds. */
const MAX_SILENCE_MS = 1000

/** How long a stack is waited for, in milliseconds. */
const STACK_TIMEOUT_MS = 1000

const NO_STACK = 'not available within a second: native code is running, or the machine is overloaded'

/** What a shell shows for a process that SIGKILL has ended. */
const EXIT_CODE = 137

const { cells, heldWork, logLevel, exitSeconds } = workerData as WatchdogData

/** Lines as those of the main thread, written at once: the main thread could not write them. */
const log = pino({ level: logLevel }, destination({ fd: 1, sync: true }))

/** A time during which the event loop stood still. */
interface Block {
  readonly search: BlockerSearch
  /** What the first line said of it; undefined: nothing was known yet. */
  readonly logged: Promise<BlockedBy | undefined>
}

let lastBeat = -1
let lastLook = performance.now()
/** How long the event loop has stood still, and how long of that without work that must not be cut off, in milliseconds. */
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

/** The main thread logs that it goes on, with the stack only if that could not be taken before native code returned. */
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
  // The first process of a container does not receive signals of its own, so the main thread has to do it.
  await sleep(BEAT_MS)
  interruptMainThread(`globalThis.process.reallyExit(${EXIT_CODE})`)
}

function look(): void {
  const now = performance.now()
  // A process that was suspended as a whole was not blocked.
  const elapsed = Math.min(now - lastLook, 2 * BEAT_MS)
  lastLook = now
  const beat = Atomics.load(cells, CELLS.beat)
  if (beat !== lastBeat) {
    if (block !== undefined) void endBlock(block, rounded(silence))
    block = undefined
    lastBeat = beat
    silence = 0
    unheldSilence = 0
    return
  }
  // It may stand at a breakpoint.
  if (isEnding || Atomics.load(cells, CELLS.isInspected) === 1) return
  silence += elapsed
  if (Atomics.load(heldWork, 0) === 0) unheldSilence += elapsed
  if (silence >= MAX_SILENCE_MS && block === undefined) {
    const search = findBlocker()
    block = { search, logged: logBlock(search, rounded(silence)) }
  }
  if (exitSeconds !== undefined && unheldSilence >= exitSeconds * 1000) void endProcess()
}

setInterval(look, BEAT_MS)
