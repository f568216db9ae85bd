import { SYSTEM_ACCESS } from '../../access/access.ts'
import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context, TriggerRecord, Triggers, TriggerTime } from '../../context.ts'
import { makeDeployedOrg } from '../../scripting/sdk/deployed-org.ts'
import type { Change, Handler, TriggerModule } from '../modules/trigger-module.ts'
import { triggerFailure } from './trigger-failure.ts'

/** How deep triggers may start each other: more is a ring. */
const MAX_DEPTH = 16

function changeOf({ record, old, errors }: TriggerRecord, time: TriggerTime): Change {
  const given = record === undefined || time.startsWith('before') ? record : Object.freeze(record)
  return {
    ...(given && { record: given }),
    ...(old && { old }),
    addError(...said) {
      const [message, field] = said.length === 1 ? said : [said[1], said[0]]
      errors.push({ message: String(message), field })
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
    async run(ctx, object, time, records) {
      if (ctx.triggerDepth >= MAX_DEPTH) throw tooDeep(object, time)
      // A deployment's own code sees and writes everything, whoever set it off; its stamp is the caller's.
      const inside: Context = {
        ...ctx,
        access: SYSTEM_ACCESS,
        visible: ctx.schema,
        triggerDepth: ctx.triggerDepth + 1,
      }
      const changes = records.map((record) => changeOf(record, time))
      for (const { trigger, handler } of listeners.get(keyOf(object, time)) ?? []) {
        try {
          await handler.call(undefined, changes, makeDeployedOrg(inside, trigger.name))
        } catch (error) {
          throw triggerFailure(trigger, time, error)
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
