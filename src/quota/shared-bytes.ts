import { serverTooBusy } from '../base/api-error.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Recipient } from './running-calls.ts'

const MAX_WAIT_MS = 30_000
const CHECK_MS = 250

/** While others wait, a body that has taken this long has to come with so many bytes a second, and an answer to be taken with as many. */
const GRACE_MS = 10_000
const LEAST_BYTES_PER_SECOND = 64 * 1024

/** Memory for one body, a piece of it, or an answer, until it is released. */
export interface Reservation {
  /** How much of it has come. */
  received: number
  /** Called when the body comes too slowly while others wait; undefined: it is not being received. */
  onTooSlow: ((error: Error) => void) | undefined
  /** Whom the answer is being sent to; undefined: it is not there yet. */
  recipient: Recipient | undefined
  /** Gives back what is more than this. */
  shrink(bytes: number): void
  release(): void
}

interface Waiter {
  readonly org: string
  readonly bytes: number
  /** On the clock of `performance.now`. */
  readonly since: number
  begin(): void
  giveUp(error: Error): void
}

/** Says when nobody waits for the memory any more; returns a function that stops that. */
export type WhenOver = (giveUp: (error: Error) => void) => () => void

/**
 * Bounds the memory of large bodies, or of large answers, in sum: of bodies from before they are read until their replies are
 * made, of answers from before they are read from the database until they are sent. An org may have three quarters of it. A body
 * that does not fit waits unread, so that its client stops sending; the orgs that wait are served in turn, the calls of one org
 * in order of arrival. While any waits, clients that send or read too slowly are ended.
 */
export class SharedBytes {
  /** Maximum size of a single one, in bytes. */
  readonly largest: number
  readonly #max: number
  readonly #maxOfOrg: number
  #used = 0
  readonly #usedByOrg = new Map<string, number>()
  /** By org; the least recently served org first. */
  readonly #waiting = new Map<string, Waiter[]>()
  /** When each began to be received. */
  readonly #receiving = new Map<Reservation, number>()
  /** Bytes that the recipients of answers had taken, and when, since others began to wait. */
  readonly #taking = new Map<Reservation, { readonly at: number; readonly taken: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(largest: number) {
    this.largest = largest
    this.#max = largest * 4
    this.#maxOfOrg = largest * 3
  }

  /**
   * @param isMore for a body that has some memory already: it goes before others of its org
   * @throws ApiError SERVER_UNAVAILABLE after the longest wait
   */
  reserve(org: string, bytes: number, isMore: boolean, whenOver: WhenOver): Promise<Reservation> {
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>()
    const waiter: Waiter = {
      org,
      bytes,
      since: performance.now(),
      begin: () => {
        forget()
        resolve(this.#take(org, bytes))
      },
      giveUp: (error) => {
        forget()
        this.#remove(waiter)
        reject(error)
        // Those behind it may need less.
        this.#beginNext()
      },
    }
    const forget = whenOver((error) => waiter.giveUp(error))
    const line = getOrInsert(this.#waiting, org, () => [])
    if (isMore) line.unshift(waiter)
    else line.push(waiter)
    this.#beginNext()
    if (this.#waiting.size > 0) this.#timer ??= setInterval(() => this.#endLate(), CHECK_MS).unref()
    return promise
  }

  #take(org: string, bytes: number): Reservation {
    let held = bytes
    this.#note(org, held)
    const shrink = (wanted: number) => {
      if (wanted >= held) return
      this.#note(org, wanted - held)
      held = wanted
      this.#beginNext()
    }
    const reservation: Reservation = {
      received: 0,
      onTooSlow: undefined,
      recipient: undefined,
      shrink,
      release: () => {
        this.#taking.delete(reservation)
        if (this.#receiving.delete(reservation)) shrink(0)
      },
    }
    this.#receiving.set(reservation, performance.now())
    return reservation
  }

  #note(org: string, bytes: number): void {
    this.#used += bytes
    const used = (this.#usedByOrg.get(org) ?? 0) + bytes
    if (used === 0) this.#usedByOrg.delete(org)
    else this.#usedByOrg.set(org, used)
  }

  #remove(waiter: Waiter): void {
    const line = this.#waiting.get(waiter.org)
    if (line === undefined) return
    const index = line.indexOf(waiter)
    if (index >= 0) line.splice(index, 1)
    if (line.length === 0) this.#waiting.delete(waiter.org)
  }

  #beginNext(): void {
    for (const [org, line] of [...this.#waiting]) {
      const [first] = line
      if (first === undefined) continue
      const usedByOrg = this.#usedByOrg.get(org) ?? 0
      if (usedByOrg + first.bytes > this.#maxOfOrg) continue
      // Smaller ones of other orgs would keep it waiting for ever.
      if (this.#used + first.bytes > this.#max) return
      line.shift()
      this.#waiting.delete(org)
      if (line.length > 0) this.#waiting.set(org, line)
      first.begin()
      this.#beginNext()
      return
    }
  }

  #endLate(): void {
    const now = performance.now()
    for (const [reservation, since] of this.#receiving) {
      const took = now - since
      const least = (took / 1000) * LEAST_BYTES_PER_SECOND
      if (took > GRACE_MS && reservation.received < least) reservation.onTooSlow?.(serverTooBusy())
      if (reservation.recipient !== undefined) this.#endTooSlow(reservation, reservation.recipient, now)
    }
    for (const waiter of [...this.#waiting.values()].flat()) {
      if (now - waiter.since >= MAX_WAIT_MS) waiter.giveUp(serverTooBusy())
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#taking.clear()
  }

  /** Who stops reading would keep the memory of an answer for ever. */
  #endTooSlow(reservation: Reservation, recipient: Recipient, now: number): void {
    const { taken, isBehind } = recipient
    const before = this.#taking.get(reservation)
    const took = now - (before?.at ?? now)
    if (before !== undefined && isBehind && took < GRACE_MS) return
    const least = (took / 1000) * LEAST_BYTES_PER_SECOND
    if (before !== undefined && isBehind && taken - before.taken < least) recipient.cut()
    else this.#taking.set(reservation, { at: now, taken })
  }
}
