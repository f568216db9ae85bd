import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Result, V64 } from './composite.ts'

/**
 * Clients whose atomic composites cross each other on a few records. Records stand in pairs that are only ever written
 * together, with one token for both, so a torn write shows as a pair whose tokens differ. Any two records are also
 * counted up under If-Match, so a lost update shows as a counter below what was acknowledged.
 */
interface Crossing {
  /** Answers by what they were: `written`, `counted`, `read`, `changed` (412), `locked`. */
  readonly answers: Readonly<Record<string, number>>
  /** Faults: 5xx, answers of another shape, pairs whose tokens differ, wrong counters. */
  readonly wrong: readonly string[]
}

const PAIRS = 5

interface Counter {
  readonly id: string
  acknowledged: number
}

const pathOf = (id: string) => `${V64}/sobjects/Account/${id}`
const pick = (below: number) => Math.floor(Math.random() * below)

/** Mostly in one order: where it is the other one, calls wait for each other in a ring, and PostgreSQL looks for rings once a second. */
const ordered = (counters: readonly Counter[]) => {
  const sorted = counters.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return pick(25) === 0 ? sorted.reverse() : sorted
}

class Clients {
  readonly answers: Record<string, number> = {}
  readonly wrong: string[] = []
  readonly counters: Counter[] = []
  readonly #addresses: readonly string[]
  readonly #headers: Readonly<Record<string, string>>

  constructor(addresses: readonly string[], token: string) {
    this.#addresses = addresses
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  }

  async call(method: string, path: string, body?: unknown) {
    const address = this.#addresses[pick(this.#addresses.length)]!
    const init = {
      method,
      headers: this.#headers,
      body: body === undefined ? null : JSON.stringify(body),
    }
    const response = await fetch(address + path, init)
    const text = await response.text()
    if (response.status >= 500 || /"httpStatusCode":5/.test(text))
      this.wrong.push(`${response.status} ${text}`)
    return { response, body: text === '' ? undefined : JSON.parse(text) }
  }

  count(what: string) {
    this.answers[what] = (this.answers[what] ?? 0) + 1
  }

  /** Sends an atomic composite and counts what came of it. */
  async #send(compositeRequest: unknown, success: string): Promise<boolean> {
    const { body } = await this.call('POST', `${V64}/composite`, { allOrNone: true, compositeRequest })
    const results: Result[] = body.compositeResponse
    if (results.every(({ httpStatusCode }) => httpStatusCode < 300)) {
      this.count(success)
      return true
    }
    const text = JSON.stringify(results)
    if (text.includes('UNABLE_TO_LOCK_ROW')) this.count('locked')
    else if (text.includes('PRECONDITION_FAILED')) this.count('changed')
    else this.wrong.push(text)
    return false
  }

  pair(number: number): [Counter, Counter] {
    return [this.counters[2 * number]!, this.counters[2 * number + 1]!]
  }

  /** Both of a pair get one token. */
  async write(): Promise<void> {
    const pair = ordered(this.pair(pick(PAIRS)))
    const Site = randomUUID()
    await this.#send(
      pair.map(({ id }, i) => ({ method: 'PATCH', url: pathOf(id), referenceId: `r${i}`, body: { Site } })),
      'written',
    )
  }

  /** Any two are counted up, if nobody changed them since they were read. */
  async increment(): Promise<void> {
    const first = pick(2 * PAIRS)
    const other = (first + 1 + pick(2 * PAIRS - 1)) % (2 * PAIRS)
    const both = ordered([this.counters[first]!, this.counters[other]!])
    const steps = []
    for (const { id } of both) {
      const { response, body } = await this.call('GET', pathOf(id))
      steps.push({
        method: 'PATCH',
        url: pathOf(id),
        referenceId: `r${steps.length}`,
        httpHeaders: { 'If-Match': response.headers.get('etag') },
        body: { NumberOfEmployees: body.NumberOfEmployees + 1 },
      })
    }
    if (await this.#send(steps, 'counted')) for (const counter of both) counter.acknowledged++
  }

  /** Both of a pair, as one statement sees them. */
  async look(number = pick(PAIRS)): Promise<void> {
    const ids = this.pair(number).map(({ id }) => `'${id}'`)
    const soql = `SELECT Site FROM Account WHERE Id IN (${ids})`
    const { body } = await this.call('GET', `${V64}/query?q=${encodeURIComponent(soql)}`)
    const sites = new Set(body.records.map(({ Site }: { Site: string }) => Site))
    this.count('read')
    if (sites.size !== 1) this.wrong.push(`torn: ${JSON.stringify(body.records)}`)
  }

  async compareCounters(): Promise<void> {
    for (const { id, acknowledged } of this.counters) {
      const { body } = await this.call('GET', pathOf(id))
      if (body.NumberOfEmployees !== acknowledged) {
        this.wrong.push(`counter ${id}: ${body.NumberOfEmployees}, acknowledged ${acknowledged}`)
      }
    }
  }
}

export async function runCrossing(
  addresses: readonly string[],
  token: string,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<Crossing> {
  const all = new Clients(addresses, token)
  for (let i = 0; i < 2 * PAIRS; i++) {
    const fields = { Name: `crossing ${i}`, NumberOfEmployees: 0, Site: 'none' }
    const { body } = await all.call('POST', `${V64}/sobjects/Account`, fields)
    all.counters.push({ id: body.id, acknowledged: 0 })
  }
  const end = Date.now() + seconds * 1000
  const client = async () => {
    while (Date.now() < end) {
      const turn = pick(4)
      if (turn === 0) await all.write()
      else if (turn === 3) await all.look()
      else await all.increment()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await sleep(100)
  for (let number = 0; number < PAIRS; number++) await all.look(number)
  await all.compareCounters()
  return all
}
