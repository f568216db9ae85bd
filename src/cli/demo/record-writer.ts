import { setImmediate } from 'node:timers/promises'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'

/** A record that is to be written. */
export interface Draft {
  readonly attributes: { readonly type: string }
}

/** The same with the id that the org gave it. */
export type Saved<D extends Draft> = D & { readonly Id: string }

export const draft = <Fields extends object>(type: string, fields: Fields): Draft & Fields => ({
  attributes: { type },
  ...fields,
})

/** How many records one call may write. */
const MAX = 200

interface Result {
  readonly id?: string
  readonly success: boolean
  readonly errors: readonly { readonly statusCode: string; readonly message: string }[]
}

/** Code of those that were not written because another one was refused. */
const OTHERS_FAULT = 'ALL_OR_NONE_OPERATION_ROLLED_BACK'

function checkResults(sent: readonly Draft[], results: readonly Result[]): void {
  const at = results.findIndex(({ success, errors }) => !success && errors[0]?.statusCode !== OTHERS_FAULT)
  if (at < 0) return
  const { attributes, ...fields } = sent[at]!
  const reported = results[at]!.errors.map(({ statusCode, message }) => `${statusCode}: ${message}`)
  throw new Error(
    `${reported.join('\n')}\nThe org refused this ${attributes.type}: ${JSON.stringify(fields)}`,
  )
}

/** Writes records through the interface, as many as a call takes at once, and counts them. */
export class RecordWriter {
  readonly #org: ReachedOrg
  readonly #signal: AbortSignal
  readonly #written: (total: number) => void
  /** How many there are by now, by their objects. */
  readonly counts = new Map<string, number>()

  constructor(org: ReachedOrg, signal: AbortSignal, written: (total: number) => void) {
    this.#org = org
    this.#signal = signal
    this.#written = written
  }

  get total(): number {
    return this.counts.values().reduce((sum, count) => sum + count, 0)
  }

  /** @throws Error with the interface's message about the first record that is refused */
  async write<D extends Draft>(drafts: readonly D[]): Promise<Saved<D>[]> {
    const saved: Saved<D>[] = []
    for (let start = 0; start < drafts.length; start += MAX) {
      const part = drafts.slice(start, start + MAX)
      const results = await this.#send('POST', part)
      const { type } = part[0]!.attributes
      this.counts.set(type, (this.counts.get(type) ?? 0) + part.length)
      this.#written(this.total)
      for (const [at, { id }] of results.entries()) saved.push({ ...part[at]!, Id: id! })
    }
    return saved
  }

  /** @throws Error with the interface's message about the first change that is refused */
  async change(changes: readonly Saved<Draft>[]): Promise<void> {
    for (let start = 0; start < changes.length; start += MAX)
      await this.#send('PATCH', changes.slice(start, start + MAX))
  }

  async #send(method: 'POST' | 'PATCH', records: readonly Draft[]): Promise<readonly Result[]> {
    // The embedded engine works in this thread: without a pause no signal would ever be seen.
    await setImmediate()
    this.#signal.throwIfAborted()
    const sent = { allOrNone: true, records }
    const results = await readBody<Result[]>(this.#org.call(method, '/composite/sobjects', sent))
    checkResults(records, results)
    return results
  }
}
