import type { Context } from '../context.ts'

/** Takes back what was done in a transaction, and is nothing else. */
class TakenBack extends Error {}

/**
 * The transaction of a run of deployed code. It begins with the first thing that the code asks for, so that code which
 * waits for others before it writes keeps nobody from the database; and it does one thing after the other, whatever
 * order the code asks in.
 */
export class CallTransaction {
  readonly #ctx: Context
  readonly #first: ((inside: Context) => Promise<void>) | undefined
  readonly #verdict = Promise.withResolvers<void>()
  #begun: Promise<Context> | undefined
  #ended: Promise<void> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param first is done before anything else in the transaction */
  constructor(ctx: Context, first?: (inside: Context) => Promise<void>) {
    this.#ctx = ctx
    this.#first = first
  }

  /** Does something in the transaction, after what was asked for before. Writes that are refused take themselves back. */
  run<T>(work: (inside: Context) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => work(await this.#begin()))
    this.#last = result.catch(() => {})
    return result
  }

  /** @throws what the database says when it cannot commit */
  async commit(): Promise<void> {
    await this.#last
    this.#verdict.resolve()
    await this.#ended
  }

  /** Takes everything back, when what is under way has ended. */
  async rollback(): Promise<void> {
    await this.#last
    this.#verdict.reject(new TakenBack())
    this.#verdict.promise.catch(() => {})
    await this.#ended?.catch(() => {})
  }

  #begin(): Promise<Context> {
    if (this.#begun !== undefined) return this.#begun
    const begun = Promise.withResolvers<Context>()
    this.#begun = begun.promise
    this.#ended = this.#ctx.db.transaction(async (db) => {
      const inside = { ...this.#ctx, db }
      await this.#first?.(inside)
      begun.resolve(inside)
      await this.#verdict.promise
    })
    // Whoever began it is told; the end is told to whoever asks for it.
    this.#ended.catch(begun.reject)
    return this.#begun
  }
}
