import type { FastifyInstance } from 'fastify'

/** How much of an unread body is received after the reply, in bytes, and for how long, in milliseconds. */
const MAX_BYTES = 1024 * 1024
const MAX_MS = 2000

/**
 * Receives a bounded rest of bodies whose reply was sent before they were read: a client that still sends when the connection
 * ends sees a reset instead of the reply. Connections that send more are closed.
 */
export function drainRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, _response, done) => {
    done()
    const { raw } = request
    // A request that was injected by a test has no connection.
    if (raw.complete !== false || raw.destroyed) return
    const { socket } = raw
    const readBefore = socket.bytesRead
    const end = () => {
      if (!raw.complete) socket.destroy()
    }
    const timer = setTimeout(end, MAX_MS)
    raw.on('data', () => {
      if (socket.bytesRead - readBefore > MAX_BYTES) end()
    })
    raw.once('close', () => clearTimeout(timer))
    raw.once('end', () => clearTimeout(timer))
  })
}
