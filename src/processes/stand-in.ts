import { createServer, type Server, type Socket } from 'node:net'

/** A client that sends nothing is not waited for any longer, in milliseconds. */
const MAX_WAIT_MS = 5000

const makeAnswer = (status: string, body: unknown) => {
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    'Cache-Control: no-store',
    'Retry-After: 1',
    'Connection: close',
    `Content-Length: ${text.length}`,
    '',
    text,
  ].join('\r\n')
}

const ALIVE = makeAnswer('200 OK', { status: 'ok' })
const NOT_READY = makeAnswer('503 Service Unavailable', { status: 'starting' })
const UNAVAILABLE = makeAnswer('503 Service Unavailable', [
  { message: 'Server Too Busy', errorCode: 'SERVER_UNAVAILABLE', fields: [] },
])

/** The first line says enough; the rest of the request is read and ignored, so that the client gets to read the answer. */
function answer(socket: Socket): void {
  socket.on('error', () => {}).setTimeout(MAX_WAIT_MS, () => socket.destroy())
  socket.once('data', (bytes) => {
    const [, path = ''] = bytes.toString('latin1', 0, 100).split(' ')
    const isFor = (name: string) => path === name || path.startsWith(`${name}?`)
    socket.end(isFor('/healthz') ? ALIVE : isFor('/readyz') ? NOT_READY : UNAVAILABLE)
    socket.resume()
  })
}

/** Answers 503 on the ports of the processes while none of them serves: connections would be refused. */
export class StandIn {
  #servers: readonly Server[] = []

  open(host: string, ports: readonly (number | undefined)[]): void {
    this.close()
    this.#servers = ports
      .filter((port) => port !== undefined)
      .map((port) =>
        createServer(answer)
          // Another program may have taken the port, which the next process then reports.
          .on('error', () => {})
          .listen({ host, port }),
      )
  }

  /** The ports are free at once; answers under way are finished. */
  close(): void {
    for (const server of this.#servers) server.close()
    this.#servers = []
  }
}
