import type { FastifyInstance } from 'fastify'

/** How much of a body that nobody reads is taken after the answer, in bytes, and how long, in milliseconds. */
const MAX_BYTES = 1024 * 1024
const MAX_MS = 2000

/**
 * Takes a bounded rest of bodies that were answered before they were read: a client that still sends when the connection ends
 * sees a reset instead of its answer. Whoever sends more is cut off.
 */
export function drainRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, _response, done) => {
    done()
    const { raw } = request
    // What tests put in has no connection.
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
