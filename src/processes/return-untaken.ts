import type { Worker } from 'node:cluster'

/** Messages of `node:cluster`: a connection with its number, and whether one was taken. */
interface ClusterMessage {
  readonly cmd: string
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
  readonly accepted?: boolean
}

interface Closable {
  close(): void
}

/**
 * Hands connections that a process did not take before it ended to the others, such as one that was waiting for a blocked
 * event loop. `node:cluster` would forget them without closing them, and their clients would wait for ever. Node offers no
 * way to find them but its own messages. A process reads from a connection after it has said that it takes it, so nothing
 * of what the client sent is lost.
 * @param hasOthers whether other processes take connections; else they are closed
 */
export function returnUntaken(worker: Worker, hasOthers: () => boolean): void {
  const { process: child } = worker
  const untaken = new Map<number, Closable>()
  const send = child.send.bind(child) as (message: unknown, ...rest: unknown[]) => boolean
  child.send = (message: unknown, ...rest: unknown[]) => {
    const { act, seq } = message as ClusterMessage
    if (act === 'newconn') untaken.set(seq!, rest[0] as Closable)
    return send(message, ...rest)
  }
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack)
  })
  // After the last message.
  child.once('close', () => {
    // While a connection was on its way, Node may not have noticed that the process has disconnected.
    worker.disconnect()
    for (const [ack, connection] of [...untaken]) {
      const refusal: ClusterMessage = { cmd: 'NODE_CLUSTER', ack, accepted: false }
      if (hasOthers()) child.emit('internalMessage', refusal)
      else connection.close()
    }
  })
}
