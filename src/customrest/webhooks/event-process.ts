import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { findByKey } from '../../records/write/find-by-key.ts'
import { namedObject } from '../../records/write/named-object.ts'
import { upsertRecord } from '../../records/write/upsert.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { CallTransaction } from '../../scripting/call-transaction.ts'
import { askScript, runScript, type Script } from '../../scripting/run-script.ts'
import type { Delivery } from '../../scripting/sdk/webhook.ts'
import type { ThreadPool } from '../../scripting/threads/thread-pool.ts'
import { claim } from '../../scripting/work/work.ts'
import { makeTimestamp } from '../../storage/database/timestamp.sql.ts'
import type { Resource } from '../resources/resource.ts'
import type { Webhook } from '../resources/webhook.ts'
import { deliverySql } from './deliveries.sql.ts'
import { DELIVERY_LOG } from './delivery-log.ts'
import { makeKey, valueAt } from './read-event.ts'

/** Maximum retries when another delivery of the same event interferes. */
const MAX_RACES = 5

export interface Receiver extends Resource {
  readonly webhook: Webhook
}

/** Thrown when another delivery of the event was faster, to roll back this one. */
class Overtaken extends ApiError {
  constructor() {
    super('UNABLE_TO_LOCK_ROW', 'Another delivery of the event is being processed')
  }
}

/** The external id field that holds the ids of events. @throws Error that says what to write */
function eventKey(object: ObjectType, { key: name }: Webhook): Field {
  const keys = object.fields.filter((field) => field.definition.externalId === true)
  const named = name === undefined ? undefined : object.field(name)
  if (named !== undefined && keys.includes(named)) return named
  if (name === undefined && keys.length === 1) return keys[0]!
  const there = keys.map((field) => field.name).join(', ') || 'none'
  throw new Error(
    name === undefined
      ? `${object.name} must have one external id field for the event id, or the receiver says which: key. It has ${there}`
      : `${name} is no external id field of ${object.name}. It has ${there}`,
  )
}

const upsertFor = async (
  ctx: Context,
  object: ObjectType,
  key: Field,
  id: string,
  fields: Record<string, unknown>,
) => {
  const input = { members: fields, locate: () => ({ line: 1, column: 1 }) }
  const outcome = await upsertRecord(ctx, object, key, id, input, false)
  if ('matches' in outcome) throw new Error(`Several records of ${object.name} have the ${key.name} ${id}`)
  return outcome
}

/** One attempt to process the event that a delivery brought. */
export class EventProcess {
  readonly #pool: () => ThreadPool
  readonly #ctx: Context
  readonly #receiver: Receiver
  readonly #delivery: Delivery
  readonly #event: unknown

  /** @param pool runs the current code of the deployment */
  constructor(pool: () => ThreadPool, ctx: Context, receiver: Receiver, delivery: Delivery, event: unknown) {
    this.#pool = pool
    this.#ctx = ctx
    this.#receiver = receiver
    this.#delivery = delivery
    this.#event = event
  }

  async carryOut(bytes: Buffer): Promise<void> {
    const id = makeKey(await this.#eventId(), bytes)
    try {
      await this.#processEvent(id)
    } catch (error) {
      await this.#noteEvent(id)
      throw error
    }
  }

  /** The log of a delivery that failed says which event it brought. */
  async #noteEvent(eventId: string): Promise<void> {
    const { db, org } = this.#ctx
    // The attempt has failed already, and this is only a help to find it.
    await db.query(deliverySql.noteEvent(org, this.#delivery.id, eventId)).catch(() => {})
  }

  async #processEvent(id: string): Promise<void> {
    const { webhook } = this.#receiver
    const object = namedObject(this.#ctx, webhook.object)
    const key = eventKey(object, webhook)
    const fields = await this.#fields()
    for (let race = 1; ; race++) {
      const isNew = (await findByKey(this.#ctx, object, key, id, 1)).length === 0
      try {
        await this.#process(isNew, id, (inside) => upsertFor(inside, object, key, id, fields))
        return
      } catch (error) {
        if (!(error instanceof Overtaken) || race === MAX_RACES) throw error
      }
    }
  }

  /** Writes the event's record, processes the event and updates the log in one transaction. */
  async #process(
    isNew: boolean,
    eventId: string,
    upsert: (inside: Context) => Promise<{ readonly id: string; readonly created: boolean }>,
  ): Promise<void> {
    const { id } = this.#delivery
    let recordId = ''
    let hindrance: unknown
    const begin = async (inside: Context) => {
      await claim(inside, DELIVERY_LOG, id)
      const outcome = await upsert(inside)
      if (outcome.created !== isNew) throw new Overtaken()
      recordId = outcome.id
    }
    const transaction = new CallTransaction(this.#ctx, (inside) =>
      begin(inside).catch((error) => {
        hindrance = error
        throw error
      }),
    )
    try {
      if (this.#receiver.webhook.hasProcess && (isNew || this.#delivery.isReplay)) {
        await runScript(this.#pool(), this.#ctx, this.#script('process'), (work) => transaction.run(work))
      }
      await transaction.run(async ({ db, org, clock }) => {
        await db.query(deliverySql.processed(org, id, eventId, recordId, isNew, makeTimestamp(clock())))
      })
      await transaction.commit()
    } catch (error) {
      await transaction.rollback()
      // The code may have wrapped this error, so the original is thrown.
      throw hindrance ?? error
    }
  }

  async #eventId(): Promise<unknown> {
    const { eventId } = this.#receiver.webhook
    if (eventId === undefined) return undefined
    return eventId === 'function' ? this.#ask('eventId') : valueAt(this.#event, eventId)
  }

  async #fields(): Promise<Record<string, unknown>> {
    if (!this.#receiver.webhook.hasRecord) return {}
    const fields = (await this.#ask('record')) ?? {}
    if (typeof fields === 'object' && !Array.isArray(fields)) return fields as Record<string, unknown>
    throw new Error('The function record must give an object')
  }

  #script(member: string): Script {
    const { name, file, seconds } = this.#receiver
    return { name, file, seconds, member: `webhook.${member}`, input: this.#event, about: this.#delivery }
  }

  /** Calls a function without access to the org. */
  async #ask(member: string): Promise<unknown> {
    const returned = await askScript(this.#pool(), this.#script(member))
    if (!('json' in returned)) throw new Error(`The function ${member} must give data`)
    return returned.json === undefined ? undefined : JSON.parse(returned.json)
  }
}
