import type { ErrorItem } from '../../base/api-error.ts'
import { atomically, type Verdict } from '../../calls/atomically.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import { holdNamedRecords } from './hold-named-records.ts'
import { type Outcome, type Run, runSteps } from './run-steps.ts'
import { objectIn } from './step-url.ts'

function judge({ replies, failed }: Outcome): Verdict {
  if (failed === undefined) return 'commit'
  const { body } = replies[failed]!
  const locked = Array.isArray(body) && (body[0] as ErrorItem | undefined)?.errorCode === 'UNABLE_TO_LOCK_ROW'
  return locked ? 'locked' : 'rollback'
}

/**
 * Runs steps in one transaction, all or nothing.
 * @throws the database's error when it cannot commit
 */
export function runAtomically(ctx: Context, run: Run): Promise<Outcome> {
  // All steps share one connection, which counts for the first object that they name.
  ctx.worksOn(run.steps.map(({ url }) => objectIn(url)).find((object) => object !== undefined))
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
export function haltedReply(message: string): Reply {
  const item: ErrorItem = { errorCode: 'PROCESSING_HALTED', message, fields: [] }
  return { status: 400, body: [item] }
}

/** One reply for each step, run or not. */
export function repliesOf({ steps }: Run, { replies, failed }: Outcome): readonly Reply[] {
  if (failed === undefined) return replies
  return steps.map((_, number) => (number === failed ? replies[number]! : haltedReply(ROLLED_BACK)))
}
