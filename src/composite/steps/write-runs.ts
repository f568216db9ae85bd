import type { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { isRefused, type Outcome, rolledBack, writeOrRefuse } from '../../records/prepare/outcome.ts'
import { splitRuns } from '../../records/write/split-runs.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'

/** One record of a list that is to be written. */
export interface Entry {
  /** Undefined if not even that is known; there is an error then. */
  readonly object: ObjectType | undefined
  /** The record that is there already, where there is one. */
  readonly id?: string | undefined
  /** Why it cannot even be tried. */
  readonly error?: ApiError | undefined
}

/** Thrown to take back what was written; the outcomes are known by then. */
class TakenBack extends Error {}

/**
 * Writes records of several objects run by run, in their order. With `allOrNone` nothing is written when one fails, and
 * the others say so.
 * @param write writes the records of one run
 */
export async function writeRuns<E extends Entry>(
  ctx: Context,
  entries: readonly E[],
  allOrNone: boolean,
  write: (ctx: Context, object: ObjectType, run: readonly E[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const outcomes = new Map<E, Outcome>()
  for (const entry of entries) {
    if (entry.error !== undefined) outcomes.set(entry, { error: entry.error, id: entry.id })
  }
  const writable = entries.filter(({ error }) => error === undefined)
  ctx.worksOn(writable[0]?.object?.name)
  const writeAll = async (inside: Context) => {
    for (const run of splitRuns(writable)) {
      const hasWritten = !allOrNone && [...outcomes.values()].some((outcome) => !isRefused(outcome))
      const written = await writeOrRefuse(run, hasWritten, () => write(inside, run[0]!.object!, run))
      for (const [index, outcome] of written.entries()) outcomes.set(run[index]!, outcome)
      if (allOrNone && written.some(isRefused)) throw new TakenBack()
    }
  }
  if (!allOrNone) await writeAll(ctx)
  else {
    try {
      if (outcomes.size > 0) throw new TakenBack()
      await ctx.db.transaction((db) => writeAll({ ...ctx, db }))
    } catch (error) {
      if (!(error instanceof TakenBack)) throw error
      for (const entry of entries) {
        const outcome = outcomes.get(entry)
        if (outcome !== undefined && isRefused(outcome)) continue
        outcomes.set(entry, { error: rolledBack(), id: entry.id, created: outcome?.created })
      }
    }
  }
  return entries.map((entry) => outcomes.get(entry)!)
}
