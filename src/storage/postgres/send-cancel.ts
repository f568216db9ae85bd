import { connect } from 'node:net'

/** Time limit of sending a cancel, in milliseconds. */
const TIMEOUT_MS = 10_000

const CANCEL_REQUEST = 80_877_102

interface Target {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

/**
 * Cancels the running statement of a connection, if there is one. As the protocol requires, it uses a separate connection;
 * a connection pooler forwards it, which would not be possible by process id. Resolves when the cancel was forwarded.
 * @throws Error if the cancel cannot be delivered
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
  // The server closes the connection when it is done; poolers fail if the client closes it first.
  socket.resume().write(message)
  await promise
}
