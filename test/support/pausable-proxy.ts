import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on 127.0.0.1 between a server and its database. */
export interface PausableProxy {
  /** The address of the database, by way of the proxy. */
  readonly url: string
  /** Passes nothing on any more, as if the database were frozen: connections stay open, new ones are accepted. */
  pause(): void
  resume(): void
  close(): void
}

export async function openProxy(databaseUrl: string): Promise<PausableProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isPaused = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    const database = keep(connect(Number(target.port || 5432), target.hostname))
    keep(client)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on('data', (bytes) => void to.write(bytes))
      from.once('close', () => to.destroy())
      if (isPaused) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    pause() {
      isPaused = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isPaused = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
