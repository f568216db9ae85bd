import type { Terminal } from '../command/terminal.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { startDemoProgress } from './demo-progress.ts'
import { loadScene } from './load-scene.ts'
import { RecordWriter } from './record-writer.ts'
import type { Size } from './sizes.ts'
import { loadSow } from './sow.ts'
import { writeCatalog } from './write-catalog.ts'
import { type Share, writeShare } from './write-share.ts'

/**
 * Works on all items, on so many at once. At the first failure no more are begun; it is thrown when those under way
 * have ended.
 */
async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // All lanes draw from one source, which a lane that fails closes for the others.
  const source = (function* () {
    yield* items
  })()
  const lane = async () => {
    for (const item of source) await work(item)
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** How many companies are written together: their records fill a call, and are soon out of memory. */
const SHARE = 50

export interface DemoOptions {
  readonly size: Size
  readonly seed: number
  /** The day that counts as today: `2026-03-01`. */
  readonly today: string
  /** How many calls may be under way at once. */
  readonly lanes: number
}

const makeShares = (accounts: number): Share[] =>
  Array.from({ length: Math.ceil(accounts / SHARE) }, (_, number) => {
    const first = number * SHARE
    return { number, first, count: Math.min(SHARE, accounts - first) }
  })

/** Records that a failed run left behind: each call is atomic, the run is not. */
function withWritten(error: unknown, { total }: RecordWriter): unknown {
  if (!(error instanceof Error) || total === 0) return error
  const written = `${total.toLocaleString('en-US')} records were written before and stay.`
  return new Error(`${error.message}\n${written}`, { cause: error })
}

/**
 * Fills an org with sample data.
 * @returns how many records were written, by their objects
 * @throws Error with the interface's message about the first record that is refused
 */
export async function writeDemo(
  terminal: Terminal,
  org: ReachedOrg,
  { size, seed, today, lanes }: DemoOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const [scene, sow] = [await loadScene(org, today), await loadSow(seed)]
  const progress = startDemoProgress(terminal, size.about)
  const writer = new RecordWriter(org, signal, (count) => progress.reach(count))
  try {
    const catalog = await writeCatalog(writer, scene, sow, size)
    const environment = { writer, scene, sow, catalog }
    await inLanes(lanes, makeShares(size.accounts), (share) => writeShare(environment, share))
  } catch (error) {
    throw signal.aborted ? error : withWritten(error, writer)
  } finally {
    progress.stop()
  }
  return writer.counts
}
