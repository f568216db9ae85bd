import type { TriggerTime } from '../../context.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import type { DeployedOrg } from '../../scripting/sdk/deployed-org.ts'

/** The argument of a handler for each record. */
export interface Change {
  /**
   * The record as it will be written. A before-trigger may change it; an after-trigger gets it frozen. Absent on
   * delete.
   */
  readonly record?: Record<string, unknown>
  /** The record before the change. Absent on insert. */
  readonly old?: Readonly<Record<string, unknown>>
  /** Refuses the record: `addError('message')`, or `addError('Name', 'message')` for one of its fields. */
  addError(...fieldAndMessage: [message: string] | [field: string, message: string]): void
}

export type Handler = (changes: readonly Change[], org: DeployedOrg) => unknown

/** A loaded file of `OBJECTRY_DEPLOYMENT/triggers`. */
export interface TriggerModule {
  /** The file name without its extension. Triggers run in the order of their names. */
  readonly name: string
  /** Path of the file, used to find the line of an error. */
  readonly file: string
  /** API name of the object, in any case. */
  readonly object: string
  readonly handlers: { readonly [Time in TriggerTime]?: Handler }
}

const TIMES: Readonly<Record<TriggerTime, true>> = {
  beforeInsert: true,
  afterInsert: true,
  beforeUpdate: true,
  afterUpdate: true,
  beforeDelete: true,
  afterDelete: true,
  afterUndelete: true,
}

const isTime = (name: string): name is TriggerTime => Object.hasOwn(TIMES, name)

/**
 * Checks and returns the trigger that a file exports as its default: `{ object: 'Account', beforeInsert(changes, org)
 * { ... } }`.
 * @throws Error with the problem and a correct form
 */
export function readTriggerModule(name: string, file: string, exported: unknown): TriggerModule {
  const wrong = (what: string) => new Error(`The trigger ${file} ${what}`)
  if (typeof exported !== 'object' || exported === null) {
    throw wrong(
      "has no default export; write: export default { object: 'Account', beforeInsert(changes) {} }",
    )
  }
  const { object, ...handlers } = exported as Record<string, unknown>
  if (typeof object !== 'string') throw wrong("does not say its object; write: object: 'Account'")
  for (const [time, handler] of Object.entries(handlers)) {
    if (!isTime(time)) throw wrong(`has ${time}, which is none of ${Object.keys(TIMES).join(', ')}`)
    if (isEventObject(object.toLowerCase()) && time !== 'afterInsert')
      throw wrong(`has ${time}; a trigger of a platform event has afterInsert, when it is published`)
    if (typeof handler !== 'function') throw wrong(`has a ${time} that is no function`)
  }
  if (Object.keys(handlers).length === 0)
    throw wrong(`does nothing; it may have ${Object.keys(TIMES).join(', ')}`)
  return { name, file, object, handlers: handlers as TriggerModule['handlers'] }
}
