import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import type { Assignment, FromProcess, Serving } from './group-messages.ts'
import { ProcessSlot } from './process-slot.ts'
import { StandIn } from './stand-in.ts'
import { MetricsSum } from './sum-metrics.ts'

/** How long a process may take to report its metrics; then its previous ones are shown. */
const METRICS_TIMEOUT_MS = 1000

/** How long a killed process may take to be gone. */
const KILL_TIMEOUT_MS = 1000

interface Options {
  readonly config: Pick<Config, 'processes' | 'host' | 'port' | 'sitePort' | 'drainSeconds' | 'stopSeconds'>
  /** The key that all processes use, in base64; undefined: the one of the settings. */
  readonly secretKey: string | undefined
  /** The file of the command line, which runs again in each process. */
  readonly entry: URL
  readonly report: (message: string) => void
  /** Called when the first process serves, which others will do as well. */
  readonly onFirst: (serving: Serving) => void
}

/** The port of a URL. */
const portIn = (address: string) => Number(new URL(address).port)

/**
 * Server processes on one port, through `node:cluster`. The first one prepares the database; the others start when it
 * serves. A process that ends is replaced.
 */
export class ProcessGroup {
  readonly #options: Options
  readonly #slots: readonly ProcessSlot[]
  readonly #metrics = new MetricsSum()
  readonly #standIn = new StandIn()
  #restarts = 0
  #ports: Pick<Assignment, 'port' | 'sitePort'>
  #serving: Serving | undefined
  #isReady = false
  #reported: ((slot: ProcessSlot) => void) | undefined
  readonly #awaitingMetrics = new Set<ProcessSlot>()
  readonly #started = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<string>()
  #stopping: Promise<'finished' | 'cancelled'> | undefined

  constructor(options: Options) {
    this.#options = options
    const { config } = options
    this.#ports = { port: config.port, sitePort: config.sitePort }
    this.#slots = Array.from(
      { length: config.processes },
      (_, index) =>
        new ProcessSlot({
          number: index + 1,
          assign: (number) => this.#assign(number),
          onMessage: (slot, message) => this.#receive(slot, message),
          onListen: () => this.#standIn.close(),
          onEnd: (slot) => this.#replace(slot),
          hasOthers: () => this.#slots.some(({ takesConnections }) => takesConnections),
          onGiveUp: (reason) => this.#fail(reason),
          report: options.report,
        }),
    )
  }

  /** Resolves, at any time, with the reason why the processes cannot go on. */
  get failure(): Promise<string> {
    return this.#failed.promise
  }

  /**
   * Starts all processes, and waits until they serve.
   * @throws Error with a message for the operator
   */
  async start(): Promise<void> {
    // The system would leave most connections to one of them.
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ exec: fileURLToPath(this.#options.entry) })
    this.#slots[0]!.start()
    await this.#started.promise
  }

  /**
   * Stops all processes, each as a server that is alone does, and kills those that do not end in time.
   * @returns whether all of them ended by themselves with nothing cancelled
   */
  stop(): Promise<'finished' | 'cancelled'> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  kill(): void {
    for (const slot of this.#slots) slot.kill()
  }

  async #stop(): Promise<'finished' | 'cancelled'> {
    this.#standIn.close()
    const { drainSeconds, stopSeconds } = this.#options.config
    const endings = Promise.all(this.#slots.map((slot) => slot.stop()))
    const limit = sleep((drainSeconds + stopSeconds) * 1000, undefined, { ref: false })
    const outcome = await Promise.race([endings, limit])
    if (outcome === undefined) {
      this.kill()
      await Promise.race([endings, sleep(KILL_TIMEOUT_MS)])
    }
    return outcome?.every((ending) => ending === 'finished') ? 'finished' : 'cancelled'
  }

  #assign(number: number): Assignment {
    const { secretKey } = this.#options
    return { number, ...this.#ports, secretKey, isPrepared: this.#serving !== undefined }
  }

  #receive(slot: ProcessSlot, message: FromProcess): void {
    switch (message.kind) {
      case 'serving':
        this.#addServing(slot, message.serving)
        return
      case 'failed':
        // A refusal that a single server would give at its start is final.
        if (this.#serving === undefined) this.#fail(message.message)
        return
      case 'counted':
        this.#metrics.put(slot.number, message.text)
        this.#reported?.(slot)
        return
      case 'wantsMetrics':
        this.#sendMetrics(slot)
    }
  }

  #addServing(slot: ProcessSlot, serving: Serving): void {
    if (this.#serving === undefined) {
      this.#serving = serving
      // If the default port of the site was in use, there is none in any process.
      if (serving.siteAddress === undefined) this.#ports = { ...this.#ports, sitePort: undefined }
      this.#options.onFirst(serving)
      for (const other of this.#slots) if (other !== slot) other.start()
    } else if (serving.address !== this.#serving.address) {
      // With port 0: the others, which had the port, ended meanwhile.
      slot.kill()
    }
    this.#updateReadiness(slot)
    if (this.#isReady) this.#started.resolve()
  }

  #replace(slot: ProcessSlot): void {
    this.#restarts++
    this.#metrics.end(slot.number)
    this.#reported?.(slot)
    this.#awaitingMetrics.delete(slot)
    this.#updateReadiness()
    const { address, siteAddress } = this.#serving ?? {}
    if (address === undefined || this.#slots.some(({ isServing }) => isServing)) return
    // Nobody holds the ports now; with port 0, the next process would be given another one.
    this.#ports = {
      port: portIn(address),
      sitePort: siteAddress === undefined ? undefined : portIn(siteAddress),
    }
    this.#standIn.open(this.#options.config.host, [this.#ports.port, this.#ports.sitePort])
  }

  /** @param newcomer does not know yet whether all serve */
  #updateReadiness(newcomer?: ProcessSlot): void {
    const isReady = this.#slots.every(({ isServing }) => isServing)
    const isChanged = isReady !== this.#isReady
    this.#isReady = isReady
    const informed = isChanged ? this.#slots : this.#slots.filter((slot) => slot === newcomer)
    for (const slot of informed) slot.send({ kind: 'ready', isReady })
  }

  #fail(reason: string): void {
    this.#failed.resolve(reason)
    this.#started.reject(new Error(reason))
  }

  /** Those who ask while metrics are collected are sent the same. */
  #sendMetrics(slot: ProcessSlot): void {
    this.#awaitingMetrics.add(slot)
    if (this.#reported === undefined) void this.#collectMetrics()
  }

  async #collectMetrics(): Promise<void> {
    const missing = new Set(this.#slots.filter(({ isServing }) => isServing))
    const collected = new Promise<void>((resolve) => {
      this.#reported = (slot) => {
        missing.delete(slot)
        if (missing.size === 0) resolve()
      }
    })
    for (const slot of missing) slot.send({ kind: 'count' })
    const timer = new AbortController()
    const limit = sleep(METRICS_TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => {})
    await Promise.race([collected, limit])
    timer.abort()
    this.#reported = undefined
    const text = this.#metrics.text(this.#ownMetrics())
    for (const slot of this.#awaitingMetrics) slot.send({ kind: 'metrics', text })
    this.#awaitingMetrics.clear()
  }

  #ownMetrics(): string {
    const serving = this.#slots.filter(({ isServing }) => isServing).length
    return [
      '# HELP objectry_processes Server processes that serve.',
      '# TYPE objectry_processes gauge',
      `objectry_processes ${serving}`,
      '# HELP objectry_process_restarts_total Server processes that ended and were started again.',
      '# TYPE objectry_process_restarts_total counter',
      `objectry_process_restarts_total ${this.#restarts}`,
    ].join('\n')
  }
}
