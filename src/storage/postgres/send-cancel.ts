import { connect } from 'node:net'

/** How long the server may take to take a cancel, in milliseconds. */
const TIMEOUT_MS = 10_000

const CANCEL_REQUEST = 80_877_102

interface Target {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

/**
 * Cancels the statement that a connection of the server is at; without one it does nothing. As the protocol has it, on a
 * connection of its own: a connection pooler passes it on, which a process id means nothing to. Resolves when it was sent on.
 * @throws Error when nobody takes it
 */
export async function sendCancel({ host, port, processID, secretKey }: Target): Promise<void> {
  const message = Buffer.alloc(16)
  message.writeInt32BE(16, 0)
  message.writeInt32BE(CANCEL_REQUEST, 4)
  message.writeInt32BE(processID ?? 0, 8)
  message.writeInt32BE(secretKey ?? 0, 12)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The cancel was not taken in time')))
  socket.on('error', reject)
  socket.on('close', () => resolve())
  // The other side closes it when it has done so; poolers do not take well to a client that is gone before.
  socket.resume().write(message)
  await promise
}
