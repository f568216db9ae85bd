import type { Context } from '../context.ts'

/** Thrown to roll back the transaction. */
class RolledBack extends Error {}

/**
 * The transaction of a run of deployed code. It begins with the first operation, so that code which waits for other
 * services first holds no connection. Operations run one after the other in the order of the calls.
 */
export class CallTransaction {
  readonly #ctx: Context
  readonly #first: ((inside: Context) => Promise<void>) | undefined
  readonly #verdict = Promise.withResolvers<void>()
  #begun: Promise<Context> | undefined
  #ended: Promise<void> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param first runs before anything else in the transaction */
  constructor(ctx: Context, first?: (inside: Context) => Promise<void>) {
    this.#ctx = ctx
    this.#first = first
  }

  /** Runs an operation in the transaction after all earlier ones. Refused writes roll themselves back. */
  run<T>(work: (inside: Context) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => work(await this.#begin()))
    this.#last = result.catch(() => {})
    return result
  }

  /** @throws the error of the database when it cannot commit */
  async commit(): Promise<void> {
    await this.#last
    this.#verdict.resolve()
    await this.#ended
  }

  /** Rolls back after the running operation has ended. */
  async rollback(): Promise<void> {
    await this.#last
    this.#verdict.reject(new RolledBack())
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
    // The caller that began the transaction gets the error; others get it when they await the end.
    this.#ended.catch(begun.reject)
    return this.#begun
  }
}
