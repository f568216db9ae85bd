import { AsyncLocalStorage } from 'node:async_hooks'

/** Work that holds a connection until its transaction is over. */
interface Holder {
  isOver: boolean
}

const isOn = ['development', 'test'].includes(process.env.NODE_ENV ?? '')
const holders = new AsyncLocalStorage<Holder>()

/**
 * Runs the work of a transaction. With NODE_ENV `development` or `test`, a wait for a second connection inside it throws:
 * where all connections are held by such work, everybody waits for ever, and the embedded engine has only one.
 */
export async function holdConnection<T>(work: () => Promise<T>): Promise<T> {
  if (!isOn) return work()
  const holder: Holder = { isOver: false }
  try {
    return await holders.run(holder, work)
  } finally {
    holder.isOver = true
  }
}

/** @throws Error when the work that asks for a connection holds one already */
export function checkHoldsNone(): void {
  if (isOn && holders.getStore()?.isOver === false) {
    throw new Error(
      'Work that holds a connection asks for a second one. It reaches the database through ctx.db.',
    )
  }
}

/** For background work that is started inside a call and runs beside it. */
export const besideCalls = <T>(work: () => T): T => (isOn ? holders.exit(work) : work())
