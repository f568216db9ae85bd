import type { Who } from '../../calls/context-factory.ts'
import type { Context } from '../../context.ts'
import type { Work } from '../../jobs/queue-worker.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { type Attempted, failAttempt, NoLongerPending, type WorkContext } from './work.ts'

/** Makes the context of background work. Undefined: the user does not exist or is inactive. */
export type ContextFor = (org: Org, who: Who) => Promise<Context | undefined>

/** In whose name work is done. @throws Error when there is nobody of that name */
export async function makeContext(
  contextFor: ContextFor,
  org: Org,
  { runAs, userId }: { readonly runAs: string | undefined; readonly userId: string },
): Promise<Context> {
  const ctx = await contextFor(org, runAs === undefined ? { userId } : { username: runAs })
  if (ctx !== undefined) return ctx
  throw new Error(
    runAs === undefined
      ? 'Whoever it is done for is not active any more'
      : `There is no active user ${runAs}`,
  )
}

/** How one kind of work is done. */
export interface JobHandler<Item extends Attempted> {
  /** The work as it stands in its log; undefined: it is no longer to be done. */
  find(org: Org, id: string): Promise<Item | undefined>
  /** Does it and says so in its log, in one transaction. Whatever it throws is a failed attempt. */
  carryOut(org: Org, item: Item): Promise<void>
  /** Seconds to wait after each failed attempt. */
  retriesOf(item: Item): readonly number[]
}

/** Does a piece of work that the queue has handed out, to its end: done, or failed and queued again, or dead. */
export async function attempt<Item extends Attempted>(
  workContext: WorkContext,
  jobHandler: JobHandler<Item>,
  { orgId, recordId }: Work,
): Promise<void> {
  const org = await workContext.hosts.find(orgId)
  const item = org && (await jobHandler.find(org, recordId))
  if (org === undefined || item === undefined) return
  try {
    await jobHandler.carryOut(org, item)
  } catch (error) {
    if (error instanceof NoLongerPending) return
    await failAttempt(workContext, org, item, error, jobHandler.retriesOf(item))
  }
}
