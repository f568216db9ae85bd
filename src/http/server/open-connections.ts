import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a connection without a request must have been silent to be closed, in milliseconds. */
const IDLE_MS = 50

/** When bytes last came in on a connection, as far as it was checked. */
interface Received {
  bytes: number
  at: number
}

/** The server waits for the client, not the other way round. */
const awaitsBody = (request: IncomingMessage) => !request.complete && request.readableLength === 0

/** The connections of a listener and the requests under way on them, so that the listener can be stopped. */
export class OpenConnections {
  readonly #sockets = new Map<Socket, Received>()
  readonly #requests = new Set<IncomingMessage>()

  constructor(listener: FastifyInstance) {
    listener.server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, { bytes: -1, at: 0 })
      socket.once('close', () => this.#sockets.delete(socket))
    })
    const requests = this.#requests
    function end(this: ServerResponse) {
      requests.delete(this.req)
    }
    listener.addHook('onRequest', (request, response, done) => {
      requests.add(request.raw)
      response.raw.on('finish', end).on('close', end)
      done()
    })
  }

  get isEmpty(): boolean {
    return this.#sockets.size === 0 && this.#requests.size === 0
  }

  /**
   * Closes connections without a request, and those whose request has stopped arriving. To be called again and again: what is
   * idle shows between two calls.
   * @param stallMs how long the rest of a request may keep the server waiting
   */
  closeIdle(stallMs: number): void {
    const now = performance.now()
    const requests = Map.groupBy(this.#requests, ({ socket }) => socket)
    for (const [socket, received] of this.#sockets) {
      if (socket.bytesRead !== received.bytes) {
        received.bytes = socket.bytesRead
        received.at = now
        continue
      }
      const silentFor = now - received.at
      const underWay = requests.get(socket)
      const isOver =
        underWay === undefined ? silentFor >= IDLE_MS : silentFor >= stallMs && underWay.every(awaitsBody)
      if (isOver) socket.destroy()
    }
  }

  closeAll(): void {
    for (const { socket } of this.#requests) socket.destroy()
    for (const socket of this.#sockets.keys()) socket.destroy()
  }
}
