import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorItem } from '../base/api-error.ts'
import type { Reply } from '../calls/reply.ts'
import type { Context } from '../context.ts'
import { databaseFault } from '../storage/pg-error.ts'
import { type Outcome, type Run, runSteps } from './run-steps.ts'

/** How often work is begun anew after others held the records that it needed. */
const MOST_RETRIES = 3

/** Carries the replies out of a transaction that is rolled back. */
class Rollback extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super('a step failed')
    this.outcome = outcome
  }
}

async function tryOnce(ctx: Context, run: Run): Promise<Outcome> {
  try {
    return await ctx.db.transaction(async (db) => {
      const outcome = await runSteps({ ...ctx, db }, run)
      if (outcome.culprit !== undefined) throw new Rollback(outcome)
      return outcome
    })
  } catch (thrown) {
    if (thrown instanceof Rollback) return thrown.outcome
    throw thrown
  }
}

function metLock({ replies, culprit }: Outcome): boolean {
  const body = culprit === undefined ? undefined : replies[culprit]!.body
  return Array.isArray(body) && (body[0] as ErrorItem | undefined)?.errorCode === 'UNABLE_TO_LOCK_ROW'
}

/** After calls that waited for each other in a ring one of them was undone: not all at once again. */
const pause = (attempt: number) => sleep(Math.random() * 20 * 2 ** attempt)

/**
 * Runs steps in one transaction, all or nothing. What failed because of other calls only is tried again: nothing of it
 * is left.
 * @throws what the database says when it cannot commit
 */
export async function runAtomically(ctx: Context, run: Run): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const last = attempt > MOST_RETRIES
    try {
      const outcome = await tryOnce(ctx, run)
      if (last || !metLock(outcome)) return outcome
    } catch (thrown) {
      if (last || databaseFault(thrown)?.kind !== 'locked') throw thrown
    }
    await pause(attempt)
  }
}

/** What the steps of a rolled back transaction are answered, all but the one that failed. (contract/records 4.6) */
const ROLLED_BACK = 'The transaction was rolled back since another operation in the same transaction failed.'

/** @param message why it was not carried out, or not for good */
export function haltedReply(message: string): Reply {
  const item: ErrorItem = { errorCode: 'PROCESSING_HALTED', message, fields: [] }
  return { status: 400, body: [item] }
}

/** One reply for each step, whether it came to it or not. */
export function repliesOf({ steps }: Run, { replies, culprit }: Outcome): readonly Reply[] {
  if (culprit === undefined) return replies
  return steps.map((_, number) => (number === culprit ? replies[number]! : haltedReply(ROLLED_BACK)))
}
