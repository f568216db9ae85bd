import { ApiError } from '../base/api-error.ts'
import { toApiError } from '../calls/dispatch.ts'
import type { Context } from '../context.ts'
import { CallTransaction } from './call-transaction.ts'
import { makeDeployedOrg } from './make-deployed-org.ts'
import type { Operate } from './threads/deployed-thread.ts'
import { isOperation, type Returned } from './threads/messages.ts'
import type { ThreadPool } from './threads/thread-pool.ts'

/** A function of a deployment and its arguments. */
export interface Script {
  /** File name without extension, as shown in the log. */
  readonly name: string
  readonly file: string
  /** `GET`, or `webhook.process`. */
  readonly member: string
  readonly seconds: number
  readonly input: unknown
  readonly about?: unknown
}

type InTransaction = <T>(work: (inside: Context) => Promise<T>) => Promise<T>

const operateIn =
  (run: InTransaction, source: string): Operate =>
  async (operation, args) => {
    if (!isOperation(operation)) throw new ApiError('INVALID_INPUT', `There is no org.${operation}`)
    return run((inside) => {
      const operate = makeDeployedOrg(inside, source)[operation] as (
        ...args: readonly unknown[]
      ) => Promise<unknown>
      return operate(...args)
    })
  }

/**
 * Runs a function, with `run` for its operations.
 * @throws ScriptError, ScriptTimeout, ThreadEnded, or why the call has to end
 */
export function runScript(
  pool: ThreadPool,
  ctx: Context,
  script: Script,
  run: InTransaction,
): Promise<Returned> {
  const { name, file, member, seconds, input, about } = script
  const operate = operateIn(run, name)
  const { principal } = ctx
  return pool.call({
    ...{ file, member, seconds, deadline: ctx.deadline(), operate },
    with: { input, about, userId: principal.userId },
  })
}

/** Runs a function. Each operation is committed separately. */
export const runEachAlone = (pool: ThreadPool, ctx: Context, script: Script): Promise<Returned> =>
  runScript(pool, ctx, script, (work) => work(ctx))

/**
 * Runs a function in a transaction, which is committed when it returns, and rolled back when it throws, times out or
 * its thread ends.
 * @throws ScriptError, ScriptTimeout, ThreadEnded, or the error of the database when it cannot commit
 */
export async function runInTransaction(pool: ThreadPool, ctx: Context, script: Script): Promise<Returned> {
  const transaction = new CallTransaction(ctx)
  try {
    const returned = await runScript(pool, ctx, script, (work) => transaction.run(work))
    await transaction.commit()
    return returned
  } catch (error) {
    // Not awaited: the caller does not wait for a running statement.
    void transaction.rollback()
    throw error
  }
}

/** Runs a function without access to the org, for its return value only. */
export function askScript(
  pool: ThreadPool,
  { file, member, seconds, input, about }: Script,
): Promise<Returned> {
  const operate = async () => {
    throw new ApiError('INVALID_INPUT', `The function ${member} has no org`)
  }
  return pool.call({ file, member, seconds, operate, with: { input, about, userId: undefined } })
}

/** Makes the error that deployed code gets for a refused operation. */
export function makeRefusal(observe: Context['observe'], error: unknown) {
  const { message, items } = toApiError(error, { observe })
  return { message, errors: items }
}
