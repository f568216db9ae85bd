import type { Terminal } from '../command/terminal.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import { startProgress } from '../result/progress.ts'
import { countText } from '../result/terminal-text.ts'
import { makeEvents, makeTasks } from './activities.ts'
import { type Catalog, CODE_PREFIX, type Size, writeCatalog } from './catalog.ts'
import { makeAccounts, makeCampaignMembers, makeContacts, makeLead } from './companies.ts'
import { writeDeals, writeOrders } from './deals.ts'
import { RecordWriter } from './record-writer.ts'
import { writeService } from './service.ts'
import { loadSources, type Sources, times } from './source.ts'

/** @throws Error when the org has sample data: known by its products, which are written first */
export async function checkIsFresh(org: ReachedOrg, named = 'current'): Promise<void> {
  const q = `SELECT COUNT() FROM Product2 WHERE ProductCode LIKE '${CODE_PREFIX}%'`
  const { totalSize } = await readBody<{ totalSize: number }>(
    org.call('GET', `/query?${new URLSearchParams({ q })}`),
  )
  if (totalSize === 0) return
  const there = `${totalSize} product${totalSize === 1 ? '' : 's'} whose code begins with ${CODE_PREFIX}`
  throw new Error(
    `The org has sample data already: ${there}. Write more beside it with --again, or empty the org first: objectry org reset ${named}`,
  )
}

/** How many companies are written together: their records fill a call, and are soon out of memory. */
const SHARE = 50

/** Some companies with everything about them. No more is held than one share. */
async function writeShare(
  writer: RecordWriter,
  sources: Sources,
  catalog: Catalog,
  share: number,
  count: number,
): Promise<void> {
  const accounts = await writer.write(makeAccounts(sources('accounts', share), share * SHARE, count))
  const contacts = await writer.write(makeContacts(sources('contacts', share), accounts))
  const people = sources('leads', share)
  const leads = await writer.write(times(count * 2, () => makeLead(people)))
  const members = sources('members', share)
  await writer.write(makeCampaignMembers(members, catalog.campaigns, leads, contacts))
  const deals = await writeDeals(writer, sources, share, catalog, accounts, contacts)
  const orders = await writeOrders(writer, sources, share, deals)
  await writeService(writer, sources, share, orders)
  await writer.write(makeTasks(sources('tasks', share), deals, leads))
  await writer.write(makeEvents(sources('events', share), deals))
}

/** Works on all items, on so many at once. At the first failure no more are begun; it is thrown when those under way have ended. */
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

export interface DemoOptions {
  readonly size: Size
  readonly seed: number
  /** The day that counts as today: `2026-03-01`. */
  readonly today: string
  /** How many calls may be under way at once. */
  readonly lanes: number
}

/** Records that a failed run left behind: each call is atomic, the run is not. */
function withWritten(error: unknown, { total }: RecordWriter): unknown {
  if (!(error instanceof Error) || total === 0) return error
  return new Error(`${error.message}\n${countText(total)} records were written before and stay.`, {
    cause: error,
  })
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
  const { accounts, about } = size
  const sources = await loadSources(org, seed, today)
  const words = (count: number) => `${countText(count)} of about ${countText(about)} records`
  const progress = startProgress(terminal, { total: about, words })
  const writer = new RecordWriter(org, signal, (count) => progress.reach(count, count))
  try {
    const catalog = await writeCatalog(writer, sources, size)
    const shares = times(Math.ceil(accounts / SHARE), (share) => share)
    await inLanes(lanes, shares, (share) =>
      writeShare(writer, sources, catalog, share, Math.min(SHARE, accounts - share * SHARE)),
    )
  } catch (error) {
    throw signal.aborted ? error : withWritten(error, writer)
  } finally {
    progress.stop()
  }
  return writer.counts
}
