import { sendHttp } from './http-call.ts'

const POLL_MS = 100

/** An answer that takes longer counts as none, as it does for a load balancer. */
const LIMIT_MS = 1000

export interface Poll {
  readonly path: '/healthz' | '/readyz'
  readonly began: number
  readonly status: number | string
  readonly text: string
}

/** Asks both health endpoints all the time, each time on a new connection as a probe does. */
export class HealthWatch {
  readonly polls: Poll[] = []
  /** When those were sent that have no answer yet. */
  readonly unanswered = new Set<number>()
  readonly #address: string
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Set<Promise<void>>()

  constructor(address: string) {
    this.#address = address
    this.#timer = setInterval(() => {
      for (const path of ['/healthz', '/readyz'] as const) {
        const queryContext = this.#ask(path).finally(() => this.#underWay.delete(queryContext))
        this.#underWay.add(queryContext)
      }
    }, POLL_MS)
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#underWay)
  }

  between(path: Poll['path'], from: number, to: number): readonly Poll[] {
    return this.polls.filter((poll) => poll.path === path && poll.began >= from && poll.began < to)
  }

  async #ask(path: Poll['path']): Promise<void> {
    const began = performance.now()
    this.unanswered.add(began)
    const { status, text } = await sendHttp(this.#address + path, { method: 'GET', limitMs: LIMIT_MS })
    this.unanswered.delete(began)
    this.polls.push({ path, began, status, text })
  }
}
