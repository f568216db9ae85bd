import { ApiError } from '../../base/api-error.ts'
import type { Delivery } from '../../scripting/sdk/webhook.ts'
import { ScriptError } from '../../scripting/threads/messages.ts'
import type { ThreadPool } from '../../scripting/threads/thread-pool.ts'
import { type ContextFor, type JobHandler, makeContext } from '../../scripting/work/runner.ts'
import type { Attempted, JobStore } from '../../scripting/work/work.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Resource } from '../resources/resource.ts'
import { deliverySql } from './deliveries.sql.ts'
import { EventProcess, type Receiver } from './event-process.ts'
import { eventIn, unpacked } from './read-event.ts'

/** Delays in seconds between attempts for an unknown receiver: a process with a newer deployment may know it. */
const RETRIES_WITHOUT_RECEIVER = [30, 120, 600, 3600]

/** A delivery in the log. */
interface Logged extends Attempted {
  readonly receiver: string
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly isReplay: boolean
  readonly receivedAt: string
  /** The user who delivered it. */
  readonly userId: string
}

interface LoggedRow extends Omit<Logged, 'id' | 'body' | 'headers'> {
  readonly body: string
  readonly headers: string
}

/** Services for processing deliveries. */
interface Processing {
  readonly jobStore: JobStore
  readonly contextFor: ContextFor
  readonly receiver: (name: string) => Resource | undefined
  /** Runs the current code of the deployment. */
  readonly pool: () => ThreadPool
}

/** Adds the line of the deployed file to an error. */
function withLocation(error: unknown, { name }: Resource): unknown {
  if (error instanceof ScriptError)
    return new Error(`${error.message}\n\n${name}${error.thrown.location}`, { cause: error })
  if (!(error instanceof ApiError)) return error
  const said = error.items.map(({ errorCode, message }) => `${errorCode}: ${message}`).join('; ')
  return new Error(said, { cause: error })
}

/**
 * Makes the handler that processes deliveries. (docs/reference/api/custom-resources.md#processing,
 * docs/reference/api/custom-resources.md#idempotency)
 */
export function deliveryHandler(processing: Processing): JobHandler<Logged> {
  const { jobStore, contextFor } = processing
  const findReceiver = ({ receiver: name }: Logged): Receiver | undefined => {
    const resource = processing.receiver(name)
    return resource?.webhook === undefined ? undefined : (resource as Receiver)
  }
  return {
    async find(org, id) {
      const [row] = await jobStore.db.query<LoggedRow>(deliverySql.find(org, id))
      return row && { ...row, id, body: Buffer.from(row.body, 'base64'), headers: JSON.parse(row.headers) }
    },
    retriesOf: (logged) => findReceiver(logged)?.webhook.retries ?? RETRIES_WITHOUT_RECEIVER,
    async carryOut(org: Org, logged) {
      const receiver = findReceiver(logged)
      if (receiver === undefined) throw new Error(`The deployment has no receiver ${logged.receiver}`)
      const { runAs } = receiver.webhook
      const ctx = await makeContext(contextFor, org, { runAs, userId: logged.userId })
      const { id, headers, attempts, isReplay, receivedAt } = logged
      const bytes = await unpacked(logged.body, headers)
      const delivery: Delivery = { id, receivedAt, headers, bytes, attempts, isReplay }
      try {
        await new EventProcess(processing.pool, ctx, receiver, delivery, await eventIn(bytes)).carryOut(bytes)
      } catch (error) {
        throw withLocation(error, receiver)
      }
    },
  }
}
