import { SYSTEM_ACCESS } from '../../access/access.ts'
import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context, TriggerRecord, Triggers, TriggerTime } from '../../context.ts'
import { unfinished } from '../../records/prepare/outcome.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { makeDeployedOrg } from '../../scripting/make-deployed-org.ts'
import { locationIn } from '../../scripting/threads/load-module.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import type { Change, Handler, TriggerModule } from '../modules/trigger-module.ts'
import { runAs } from './running-trigger.ts'

/** Makes the error that clients get when a trigger throws. (docs/reference/api/records.md#error-codes) */
function makeTriggerError({ name, file }: TriggerModule, time: TriggerTime, error: unknown): ApiError {
  // The error of a nested trigger already has its location.
  if (error instanceof ApiError && error.code === 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY') return error
  const event = time[0]!.toUpperCase() + time.slice(1)
  const cause =
    error instanceof ApiError
      ? error.items.map(({ errorCode, message }) => `${errorCode}, ${message}`).join('; ')
      : error instanceof Error
        ? `${error.name}: ${error.message}`
        : String(error)
  const location = locationIn(error instanceof Error ? error.stack : undefined, file)
  return new ApiError(
    'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
    `${name}: execution of ${event}\n\ncaused by: ${cause}\n\nTrigger.${name}${location}`,
    { cause: error },
  )
}

/** How many errors that wrap one another are looked at. */
const MAX_CAUSES = 16

/**
 * Returns what kept a trigger from going on without being a failure of its own; it may have wrapped that in an error of its own.
 * After a lock conflict the write is rolled back and tried again, with its triggers; a database that does not answer is a 503.
 */
function findInterruption(thrown: unknown): unknown {
  let error = thrown
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    if (databaseFault(error)?.kind === 'locked' || unfinished(error)?.status === 503) return error
    error = error.cause
  }
  return undefined
}

/** Maximum nesting of triggers that start each other. Deeper nesting is assumed to be infinite recursion. */
const MAX_DEPTH = 16

function makeChange({ record, old, errors }: TriggerRecord, time: TriggerTime): Change {
  const given = record === undefined || time.startsWith('before') ? record : Object.freeze(record)
  return {
    ...(given && { record: given }),
    ...(old && { old }),
    addError(...args) {
      const [message, field] = args.length === 1 ? args : [args[1], args[0]]
      errors.push({ message: String(message), ...(field !== undefined && { field }) })
    },
  }
}

interface Listener {
  readonly trigger: TriggerModule
  readonly handler: Handler
}

/** The triggers of a deployment as the write path calls them. */
export function makeTriggers(modules: readonly TriggerModule[]): Triggers {
  const listeners = new Map<string, Listener[]>()
  const keyOf = (object: string, time: string) => `${object.toLowerCase()} ${time}`
  for (const trigger of modules) {
    for (const [time, handler] of Object.entries(trigger.handlers)) {
      getOrInsert(listeners, keyOf(trigger.object, time), () => []).push({ trigger, handler })
    }
  }
  return {
    listens: (object, time) => listeners.has(keyOf(object, time)),
    eventObjects: [
      ...new Set(
        modules
          .filter(({ handlers }) => handlers.afterInsert !== undefined)
          .map(({ object }) => object.toLowerCase())
          .filter(isEventObject),
      ),
    ],
    async run(ctx, object, time, records) {
      if (ctx.triggerDepth >= MAX_DEPTH) throw tooDeep(object, time)
      // A deployment's code has unrestricted access, whoever the caller is. Audit fields get the caller.
      const inside: Context = {
        ...ctx,
        access: SYSTEM_ACCESS,
        visible: ctx.schema,
        triggerDepth: ctx.triggerDepth + 1,
      }
      const changes = records.map((record) => makeChange(record, time))
      for (const { trigger, handler } of listeners.get(keyOf(object, time)) ?? []) {
        try {
          const org = makeDeployedOrg(inside, trigger.name)
          await runAs(trigger, () => handler.call(undefined, changes, org))
        } catch (error) {
          throw findInterruption(error) ?? makeTriggerError(trigger, time, error)
        }
      }
    },
  }
}

const tooDeep = (object: string, time: TriggerTime) =>
  new ApiError(
    'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
    `Maximum trigger depth exceeded: triggers have started each other ${MAX_DEPTH} times, the last one is ${time} of ${object}`,
  )

/** The triggers of a server without a deployment. */
export const NO_TRIGGERS: Triggers = makeTriggers([])
