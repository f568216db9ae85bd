import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a connection without a request must have been silent to be closed, in milliseconds. */
const IDLE_MS = 50

/** Maximum number of requests of a connection that are carried out at the same time. Only pipelining clients send more. */
const MAX_PIPELINED = 4

/** A connection with more waiting requests is closed. */
const MAX_WAITING = 5000

/** How often connections are looked at whose clients may have stopped reading, in milliseconds. */
const CHECK_MS = 1000

/** A client that takes nothing of its answer for so long, or for as long as a call may take, is cut off. */
const MAX_STALL_MS = 120_000

/** An open connection. */
interface Connection {
  /** Bytes received when it was last checked, and since when there are no others. */
  bytes: number
  silentSince: number
  /** Bytes taken by the client when it was last checked, and since when it has taken no others. */
  taken: number
  takenAt: number
  /** Number of requests that are carried out. */
  running: number
  /** Starts requests that came before earlier ones were answered. */
  readonly waiting: (() => void)[]
}

/** The server waits for the client, not the other way round. */
const awaitsBody = (request: IncomingMessage) => !request.complete && request.readableLength === 0

/**
 * The connections of a listener and the requests under way on them, so that the listener can be stopped, and no connection
 * occupies it with more requests than others can send, or for ever with an answer that is not read.
 */
export class OpenConnections {
  readonly #sockets = new Map<Socket, Connection>()
  readonly #requests = new Set<IncomingMessage>()

  /** @param callSeconds how long a call may take */
  constructor(listener: FastifyInstance, callSeconds: number) {
    const stallMs = Math.min(MAX_STALL_MS, callSeconds * 1000)
    const timer = setInterval(() => this.#cutStalled(stallMs), CHECK_MS).unref()
    listener.server.once('close', () => clearInterval(timer))
    listener.server.on('connection', (socket: Socket) => {
      const connection: Connection = {
        bytes: -1,
        silentSince: 0,
        taken: -1,
        takenAt: 0,
        running: 0,
        waiting: [],
      }
      this.#sockets.set(socket, connection)
      socket.once('close', () => {
        this.#sockets.delete(socket)
        if (connection.running === 0) return
        // After CONNECT, Node does not tell the requests before it that their connection is closed.
        for (const request of this.#requests) if (request.socket === socket) this.#requests.delete(request)
      })
    })
    const [sockets, requests] = [this.#sockets, this.#requests]
    function end(this: ServerResponse) {
      const { socket } = this.req
      const connection = requests.delete(this.req) ? sockets.get(socket) : undefined
      if (connection === undefined || socket.destroyed) return
      connection.running--
      connection.waiting.shift()?.()
    }
    listener.addHook('onRequest', ({ raw }, response, done) => {
      requests.add(raw)
      response.raw.on('finish', end).on('close', end)
      // A request that was injected by a test has no connection.
      const connection = sockets.get(raw.socket)
      const begin = () => {
        if (connection !== undefined) connection.running++
        done()
      }
      if (connection === undefined || connection.running < MAX_PIPELINED) begin()
      else if (connection.waiting.length < MAX_WAITING) connection.waiting.push(begin)
      else raw.socket.destroy()
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
    for (const [socket, connection] of this.#sockets) {
      if (socket.bytesRead !== connection.bytes) {
        connection.bytes = socket.bytesRead
        connection.silentSince = now
        continue
      }
      const silentFor = now - connection.silentSince
      const underWay = requests.get(socket)
      const isOver =
        underWay === undefined ? silentFor >= IDLE_MS : silentFor >= stallMs && underWay.every(awaitsBody)
      if (isOver) socket.destroy()
    }
  }

  /** A socket counts what the client has not taken among the bytes written; one piece of an answer is taken as a whole. */
  #cutStalled(stallMs: number): void {
    const now = performance.now()
    for (const [socket, connection] of this.#sockets) {
      const { bytesWritten, writableLength } = socket
      const taken = bytesWritten - writableLength
      if (writableLength === 0 || taken !== connection.taken) {
        connection.taken = taken
        connection.takenAt = now
      } else if (now - connection.takenAt >= stallMs) socket.destroy()
    }
  }

  closeAll(): void {
    for (const { socket } of this.#requests) socket.destroy()
    for (const socket of this.#sockets.keys()) socket.destroy()
  }
}
