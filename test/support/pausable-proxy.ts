import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy on 127.0.0.1 between a server and its database. */
export interface PausableProxy {
  /** The address of the database, by way of the proxy. */
  readonly url: string
  /** Passes nothing on any more, as if the database were frozen: connections stay open, new ones are accepted. */
  pause(): void
  resume(): void
  /**
   * Swallows all bytes, as a network does that has lost its way: connections stay open, new ones are accepted. A
   * connection that has lost bytes never gets an answer again, not even when `heal` was called.
   */
  swallow(): void
  /** Swallows what the database says only: what it is sent is carried out. */
  swallowAnswers(): void
  /** Cuts each connection in the middle of an answer, after a random number of bytes of at most this. */
  cutWithin(bytes: number): void
  /**
   * Cuts every connection when the database answers the question of this number, counted from now, and lets nobody in until
   * `heal` is called: the question was carried out, and nobody hears of it.
   */
  cutAtAnswer(question: number): Cut
  /** Cuts all connections and lets nobody in until `heal` is called, as if the database were down. */
  refuse(): void
  /** Delivers all bytes of the database so much later. */
  delay(milliseconds: number): void
  /** Lets so many bytes per millisecond through to the database. */
  throttle(bytesPerMs: number): void
  /** Ends what `swallow`, `cutWithin`, `cutAtAnswer`, `refuse`, `delay` and `throttle` began. */
  heal(): void
  close(): void
}

/** A cut that is to come. */
interface Cut {
  /** How many questions have passed. */
  readonly questions: number
  readonly hasHappened: boolean
}

/** Cuts all connections at the answer to a question. */
class CutAtAnswer implements Cut {
  readonly kind = 'cut at answer'
  readonly #sockets: ReadonlySet<Socket>
  readonly #question: number
  #link: Link | undefined
  questions = 0
  hasHappened = false

  constructor(sockets: ReadonlySet<Socket>, question: number) {
    this.#sockets = sockets
    this.#question = question
  }

  noteQuestion(link: Link): void {
    if (++this.questions === this.#question) this.#link = link
  }

  /** True if the answer must not be passed on. */
  noteAnswer(link: Link): boolean {
    if (link !== this.#link) return this.hasHappened
    this.hasHappened = true
    for (const socket of this.#sockets) socket.destroy()
    return true
  }
}

type Disturbance =
  | CutAtAnswer
  | { readonly kind: 'swallow'; readonly onlyAnswers: boolean }
  | { readonly kind: 'cut'; readonly bytes: number }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: 'throttle'; readonly bytesPerMs: number }

/** The two sockets of a connection, and what became of it. */
class Link {
  readonly client: Socket
  readonly database: Socket
  #hasLostBytes = false
  /** Bytes that it may still pass before it is cut; undefined while that is not decided. */
  #bytesLeft: number | undefined
  /** Resolves when all delayed bytes have been delivered; undefined if there are none. */
  #delayed: Promise<void> | undefined

  constructor(client: Socket, database: Socket) {
    this.client = client
    this.database = database
  }

  passQuestion(bytes: Buffer, disturbance: Disturbance | undefined): void {
    const isHeard = disturbance?.kind === 'swallow' && disturbance.onlyAnswers
    if (this.#swallows(disturbance) && !isHeard) return
    if (disturbance?.kind === 'cut at answer') disturbance.noteQuestion(this)
    this.database.write(bytes)
    if (disturbance?.kind !== 'throttle') return
    this.client.pause()
    setTimeout(() => this.client.resume(), bytes.length / disturbance.bytesPerMs)
  }

  passAnswer(bytes: Buffer, disturbance: Disturbance | undefined): void {
    if (this.#swallows(disturbance)) return
    if (disturbance?.kind === 'cut at answer' && disturbance.noteAnswer(this)) return
    if (disturbance?.kind === 'cut') this.#passUntilCut(bytes, disturbance.bytes)
    else this.#passAfter(bytes, disturbance?.kind === 'delay' ? disturbance.milliseconds : 0)
  }

  /** The other side does not hear of an end either when the network swallows everything. */
  noteDatabaseEnd(disturbance: Disturbance | undefined): void {
    if (this.#swallows(disturbance)) return
    if (this.#delayed === undefined) this.client.destroy()
    else this.#delayed.then(() => this.client.destroy())
  }

  #swallows(disturbance: Disturbance | undefined): boolean {
    this.#hasLostBytes ||= disturbance?.kind === 'swallow'
    return this.#hasLostBytes
  }

  #passUntilCut(bytes: Buffer, maxBytes: number): void {
    this.#bytesLeft ??= Math.ceil(Math.random() * maxBytes)
    const passed = bytes.subarray(0, this.#bytesLeft)
    this.#bytesLeft -= passed.length
    if (passed.length === bytes.length) return void this.client.write(passed)
    this.client.write(passed, () => this.client.destroy())
    this.database.destroy()
  }

  #passAfter(bytes: Buffer, milliseconds: number): void {
    if (milliseconds === 0 && this.#delayed === undefined) return void this.client.write(bytes)
    const due = sleep(milliseconds)
    const delayed = Promise.all([this.#delayed, due]).then(() => {
      this.client.write(bytes)
      if (this.#delayed === delayed) this.#delayed = undefined
    })
    this.#delayed = delayed
  }
}

export async function openProxy(databaseUrl: string): Promise<PausableProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isPaused = false
  let disturbance: Disturbance | undefined
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    const isClosed = disturbance?.kind === 'cut at answer' && disturbance.hasHappened
    if (isClosed || disturbance?.kind === 'refuse') return void client.destroy()
    const database = keep(connect(Number(target.port || 5432), target.hostname))
    const link = new Link(keep(client), database)
    client.on('data', (bytes) => link.passQuestion(bytes, disturbance))
    database.on('data', (bytes) => link.passAnswer(bytes, disturbance))
    client.once('close', () => database.destroy())
    database.once('close', () => link.noteDatabaseEnd(disturbance))
    if (isPaused) for (const socket of [client, database]) socket.pause()
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
    swallow() {
      disturbance = { kind: 'swallow', onlyAnswers: false }
    },
    swallowAnswers() {
      disturbance = { kind: 'swallow', onlyAnswers: true }
    },
    cutWithin(bytes) {
      disturbance = { kind: 'cut', bytes }
    },
    cutAtAnswer(question) {
      disturbance = new CutAtAnswer(sockets, question)
      return disturbance
    },
    refuse() {
      disturbance = { kind: 'refuse' }
      for (const socket of sockets) socket.destroy()
    },
    delay(milliseconds) {
      disturbance = { kind: 'delay', milliseconds }
    },
    throttle(bytesPerMs) {
      disturbance = { kind: 'throttle', bytesPerMs }
    },
    heal() {
      disturbance = undefined
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
