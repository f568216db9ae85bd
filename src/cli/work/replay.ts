import { setImmediate } from 'node:timers/promises'
import type { WorkCounts } from '../../admin/work-handlers.ts'
import type { Replayed } from '../../scripting/work/replay-work.ts'
import { UsageError } from '../command/exit-codes.ts'
import { getErrorMessage } from '../command/get-error-message.ts'
import type { Flags } from '../command/setting-flags.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import type { Outcome } from '../result/outcome.ts'
import { startProgress } from '../result/progress.ts'
import { countText } from '../result/terminal-text.ts'
import type { WorkContext } from './work-command.ts'

/** How many one call replays: between two of them is told how far it is, and can be stopped. */
const PART = 2000

/** Kind of the replayed work. */
export interface Replayable {
  /** The path that lists receivers or jobs with their work. */
  readonly path: string
  /** Where one piece of work is, below that. */
  readonly items: 'deliveries' | 'runs'
  /** The flag that says whose work is meant. */
  readonly owner: 'receiver' | 'job'
  /** Name of one item of it. */
  readonly item: string
}

/** `1 delivery`, `2,000 deliveries`. */
const words = ({ item, items }: Replayable, count: number) =>
  `${countText(count)} ${count === 1 ? item : items}`

async function fetchDeadCount(org: ReachedOrg, path: string, owner: unknown): Promise<number> {
  const all = await readBody<(WorkCounts & { readonly name: string })[]>(org.call('GET', path))
  return all
    .filter(({ name }) => owner === undefined || name === owner)
    .reduce((sum, { dead }) => sum + dead, 0)
}

async function replayDead(
  org: ReachedOrg,
  kind: Replayable,
  flags: Flags,
  { terminal, signal }: WorkContext,
): Promise<number> {
  const { path, owner } = kind
  const total = await fetchDeadCount(org, path, flags[owner])
  const progress = startProgress(terminal, {
    total,
    words: (count) => `${countText(count)} of ${words(kind, total)}`,
  })
  let done = 0
  try {
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      await setImmediate()
      signal.throwIfAborted()
      const body = { [owner]: flags[owner], limit: PART, after }
      const part = await readBody<Replayed>(org.call('POST', `${path}/replay`, body))
      done += part.replayed
      progress.reach(done, done)
      after = part.next
    }
  } finally {
    progress.stop()
  }
  return done
}

async function replayEach(
  org: ReachedOrg,
  kind: Replayable,
  ids: readonly string[],
  { terminal, signal }: WorkContext,
): Promise<number> {
  const { path, items } = kind
  let failures = 0
  for (const id of new Set(ids)) {
    signal.throwIfAborted()
    try {
      await readBody(org.call('POST', `${path}/${items}/${encodeURIComponent(id)}/replay`))
    } catch (error) {
      failures++
      terminal.stderr.write(`${id}: ${getErrorMessage(error)}\n`)
    }
  }
  if (failures > 0) throw new Error(`${words(kind, failures)} could not be replayed.`)
  return new Set(ids).size
}

/** Queues work again: some by its ids, or all that is dead. */
export async function replay(
  org: ReachedOrg,
  kind: Replayable,
  ids: readonly string[],
  flags: Flags,
  context: WorkContext,
): Promise<Outcome> {
  const { owner } = kind
  if (ids.length === 0 && flags.dead !== true)
    throw new UsageError('Which ones? Name their ids, or say --dead for all.')
  if (ids.length > 0 && (flags.dead === true || flags[owner] !== undefined)) {
    throw new UsageError(`Either ids, or --dead with --${owner}: not both.`)
  }
  const replayed = await (ids.length > 0
    ? replayEach(org, kind, ids, context)
    : replayDead(org, kind, flags, context))
  return { text: `${words(kind, replayed)} queued again.\n`, answer: { replayed } }
}
