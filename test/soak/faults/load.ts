import { setTimeout as sleep } from 'node:timers/promises'
import { step } from '../../support/composite.ts'
import type { Kind, LoggedCall } from './call-log.ts'
import type { Answer, Client } from './client.ts'
import { Counters } from './counters.ts'
import type { Tenants } from './tenants.ts'
import { WriteBook } from './write-book.ts'

/** How many callers of each kind. Those of the first object, which is the one that gets locked, are 24. */
const CALLERS: Readonly<Record<Kind, number>> = {
  read: 6,
  query: 4,
  create: 6,
  update: 4,
  composite: 4,
  'other object': 4,
  token: 2,
  'second org': 3,
}

/** Between two calls of a caller, in milliseconds. */
const PAUSE_MS = 30

/** A caller whose call takes longer begins another one beside it, as new clients would, in milliseconds. */
const PATIENCE_MS = 1000

/** Of one caller. */
const MAX_CALLS_AT_ONCE = 4

/** A name for records of this run that none of another one has. */
const RUN = Date.now().toString(36)

/** Callers of all kinds, what they were answered, and what has to be there at the end. */
export class Load {
  readonly prefix: string
  readonly log: LoggedCall[] = []
  /** When the calls were sent that have no answer yet. */
  readonly unanswered = new Set<number>()
  /** Answers that were successes and not true. */
  readonly wrong: string[] = []
  /** Created one by one, by pairs, in another object and in another org. */
  readonly created = new WriteBook()
  readonly pairs = new WriteBook()
  readonly parts = new WriteBook()
  readonly elsewhere = new WriteBook()
  readonly counters: Counters
  readonly #tenants: Tenants
  readonly #client: Client
  readonly #other: Client
  #isOver = false
  #number = 0
  #callers: Promise<unknown> | undefined

  private constructor(tenants: Tenants, prefix: string, counters: Counters, limitMs: number) {
    this.prefix = prefix
    this.counters = counters
    this.#tenants = tenants
    this.#client = tenants.first.client(limitMs)
    this.#other = tenants.second.client(limitMs)
  }

  /** @param name of the fault, for the keys of its records */
  static async begin(tenants: Tenants, name: string, limitMs: number): Promise<Load> {
    const prefix = `${RUN}-${name}-`
    const counters = await Counters.make(tenants.first.client(limitMs), prefix)
    const load = new Load(tenants, prefix, counters, limitMs)
    load.#callers = Promise.all(
      Object.entries(CALLERS).flatMap(([kind, count]) =>
        Array.from({ length: count }, () => load.#keepCalling(kind as Kind)),
      ),
    )
    return load
  }

  /** Begins no more calls, and waits for the answers of those under way. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#callers
  }

  async #keepCalling(kind: Kind): Promise<void> {
    await sleep(Math.random() * PAUSE_MS)
    const underWay = new Set<Promise<void>>()
    while (!this.#isOver) {
      const call = this.#callOnce(kind).finally(() => underWay.delete(call))
      underWay.add(call)
      await Promise.race([call, sleep(PATIENCE_MS)])
      if (underWay.size >= MAX_CALLS_AT_ONCE) await Promise.race(underWay)
      await sleep(PAUSE_MS)
    }
    await Promise.all(underWay)
  }

  async #callOnce(kind: Kind): Promise<void> {
    const began = performance.now()
    this.unanswered.add(began)
    const answer = await this.#send(kind).finally(() => this.unanswered.delete(began))
    if (answer === undefined) return
    this.log.push({ kind, began, ended: performance.now(), answer: answer.label, isOk: answer.isOk })
  }

  /** @returns undefined if there was nothing to call for */
  #send(kind: Kind): Promise<Answer | undefined> {
    switch (kind) {
      case 'read':
        return this.#read(this.#client, 'Load__c', this.created)
      case 'query':
        return this.#query(this.#client, 'Load__c', this.created)
      case 'create':
        return this.#create(this.#client, 'Load__c', this.created, { Count__c: 1 })
      case 'update':
        return this.#update()
      case 'composite':
        return this.#createPair()
      case 'other object':
        return this.#any(this.#client, 'Part__c', this.parts)
      case 'second org':
        return this.#any(this.#other, 'Load__c', this.elsewhere)
      case 'token':
        return this.#askToken()
    }
  }

  #nextKey(purpose: string): string {
    return `${this.prefix}${purpose}-${this.#number++}`
  }

  async #create(client: Client, object: string, book: WriteBook, fields: object = {}): Promise<Answer> {
    const key = this.#nextKey('one')
    book.begin(key)
    const answer = await client.call('POST', `/sobjects/${object}`, { Key__c: key, ...fields })
    book.settle(key, answer.effect, answer.body?.id)
    return answer
  }

  async #read(client: Client, object: string, book: WriteBook): Promise<Answer | undefined> {
    const known = book.pick()
    if (known === undefined) return undefined
    const answer = await client.call('GET', `/sobjects/${object}/${known.id}?fields=Key__c`)
    const isMissing = answer.label.startsWith('404')
    if (isMissing || (answer.isOk && answer.body.Key__c !== known.key)) {
      this.wrong.push(`GET of the acknowledged ${object} ${known.key}: ${answer.text}`)
    }
    return answer
  }

  async #query(client: Client, object: string, book: WriteBook): Promise<Answer | undefined> {
    const known = book.pick()
    if (known === undefined) return undefined
    const answer = await client.query(`SELECT Id FROM ${object} WHERE Key__c = '${known.key}'`)
    if (answer.isOk && answer.body.records[0]?.Id !== known.id) {
      this.wrong.push(`Query for the acknowledged ${object} ${known.key}: ${answer.text}`)
    }
    return answer
  }

  async #any(client: Client, object: string, book: WriteBook): Promise<Answer | undefined> {
    const choice = Math.random()
    if (choice < 0.5 || book.pick() === undefined) return this.#create(client, object, book)
    return choice < 0.75 ? this.#read(client, object, book) : this.#query(client, object, book)
  }

  async #update(): Promise<Answer | undefined> {
    const counter = this.counters.take()
    if (counter === undefined) return undefined
    counter.sent++
    const answer = await this.#client.call('PATCH', `/sobjects/Load__c/${counter.id}`, {
      Count__c: counter.sent,
    })
    this.counters.settle(counter, answer.effect)
    return answer
  }

  async #createPair(): Promise<Answer> {
    const key = this.#nextKey('pair')
    this.pairs.begin(key)
    const answer = await this.#client.composite([
      step('POST', '/sobjects/Load__c', { Key__c: key, Count__c: 1 }, 'load'),
      step('POST', '/sobjects/Part__c', { Key__c: key, Text__c: '@{load.id}' }, 'part'),
    ])
    this.pairs.settle(key, answer.effect, answer.body?.compositeResponse?.[0].body?.id)
    return answer
  }

  /** A token is a success if a call is let in with it. That call is about an object that nobody locks. */
  async #askToken(): Promise<Answer> {
    const answer = await this.#client.token(this.#tenants.first.credentials)
    if (!answer.isOk) return answer
    const caller = this.#client.with(answer.body.access_token)
    const use = await caller.query('SELECT Id FROM Part__c LIMIT 1')
    if (use.label.startsWith('401')) this.wrong.push(`A new token is refused: ${use.text}`)
    return use.isOk ? answer : { ...use, label: `${use.label} (use)` }
  }
}
