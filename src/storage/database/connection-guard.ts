import { AsyncLocalStorage } from 'node:async_hooks'

/** Work that holds a connection until its transaction ends. */
interface Holder {
  isOver: boolean
}

const isOn = ['development', 'test'].includes(process.env.NODE_ENV ?? '')
const holders = new AsyncLocalStorage<Holder>()

/**
 * Runs the work of a transaction. With NODE_ENV `development` or `test`, waiting for a second connection inside it throws:
 * if all connections are held by such work, it would wait forever, and the embedded engine has only one connection.
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

/** @throws Error if the current work already holds a connection */
export function checkHoldsNone(): void {
  if (isOn && holders.getStore()?.isOver === false) {
    throw new Error('Work that holds a connection requested a second one. Use ctx.db instead.')
  }
}

/** Runs work that is started inside a call or a long transaction but does not belong to it. */
export const besideCalls = <T>(work: () => T): T => (isOn ? holders.exit(work) : work())
