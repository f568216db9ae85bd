import { atomically, type Verdict } from '../../calls/atomically.ts'
import { errorReply, type Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { holdNamedRecords } from './hold-named-records.ts'
import { type Outcome, type Run, runSteps } from './run-steps.ts'
import { halted } from './step-results.ts'
import { objectIn } from './step-route.ts'

function judge({ replies, failed }: Outcome): Verdict {
  if (failed === undefined) return 'committed'
  return replies[failed]?.error?.code === 'UNABLE_TO_LOCK_ROW' ? 'locked' : 'rolled back'
}

/** Counts as an object, so that transactions whose steps name none, such as collections, leave connections to other calls. */
const UNNAMED = 'unnamed objects'

/**
 * Runs steps in one transaction, all or nothing.
 * @throws the database's error when it cannot commit
 */
export function runAtomically(ctx: Context, run: Run): Promise<Outcome> {
  // All steps share one connection, which counts for the first object that they name.
  ctx.worksOn(run.steps.map(objectIn).find((object) => object !== undefined) ?? UNNAMED)
  return atomically(
    ctx,
    async (inside) => {
      await holdNamedRecords(inside, run.steps)
      return runSteps(inside, run)
    },
    judge,
  )
}

/** Error of all steps of a rolled back transaction except the failed one. (docs/reference/api/composite.md#all-or-nothing) */
const ROLLED_BACK = 'The transaction was rolled back since another operation in the same transaction failed.'

/** @param message why it was not carried out, or not for good */
export const haltedReply = (message: string): Reply => errorReply(halted(message))

/** One reply for each step, run or not. */
export function makeReplies({ steps }: Run, { replies, failed }: Outcome): readonly Reply[] {
  if (failed === undefined) return replies
  const rolledBack = haltedReply(ROLLED_BACK)
  return steps.map((_, number) => (number === failed ? replies[number]! : rolledBack))
}
