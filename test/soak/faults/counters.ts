import type { Client } from './client.ts'

interface Counter {
  readonly id: string
  /** Values that the record may hold: the last one acknowledged and, once nobody knows, the last one sent. */
  allowed: readonly number[]
  /** The last value that was sent. */
  sent: number
}

const COUNT = 60

/** Records that are counted up one by one. Each has one write under way at most, and none after one of unknown outcome. */
export class Counters {
  readonly #all: Counter[]
  readonly #idle: Counter[]

  private constructor(counters: Counter[]) {
    this.#all = counters
    this.#idle = [...counters]
  }

  static async make(client: Client, prefix: string): Promise<Counters> {
    const records = Array.from({ length: COUNT }, (_, number) => ({
      attributes: { type: 'Load__c' },
      Key__c: `${prefix}counter-${number}`,
      Count__c: 0,
    }))
    const { isOk, body, text } = await client.call('POST', '/composite/sobjects', {
      allOrNone: true,
      records,
    })
    if (!isOk) throw new Error(`Counters were not created: ${text}`)
    return new Counters(body.map(({ id }: { id: string }) => ({ id, allowed: [0], sent: 0 })))
  }

  /** Takes any idle counter. Returns undefined if all of them have a write under way or an unknown value. */
  take(): Counter | undefined {
    const index = Math.floor(Math.random() * this.#idle.length)
    return this.#idle.splice(index, 1)[0]
  }

  settle(counter: Counter, effect: 'done' | 'refused' | 'unknown'): void {
    if (effect === 'done') counter.allowed = [counter.sent]
    if (effect === 'unknown') counter.allowed = [...counter.allowed, counter.sent]
    else this.#idle.push(counter)
  }

  /** Returns the fault of a counter whose record holds this value. */
  judge(id: string, value: number): 'lost' | 'wrong' | undefined {
    const counter = this.#all.find((one) => one.id === id)
    if (counter === undefined || counter.allowed.includes(value)) return undefined
    return value < counter.allowed[0]! ? 'lost' : 'wrong'
  }

  get ids(): readonly string[] {
    return this.#all.map(({ id }) => id)
  }
}
