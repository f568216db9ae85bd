import { setImmediate } from 'node:timers/promises'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import type { Changed, Draft, Saved } from './draft.ts'

/** How many records one call may write. */
const MAX = 200

interface Result {
  readonly id?: string
  readonly success: boolean
  readonly errors: readonly { readonly statusCode: string; readonly message: string }[]
}

/** Code of those that were not written because another one was refused. */
const OTHERS_FAULT = 'ALL_OR_NONE_OPERATION_ROLLED_BACK'

function refusal(drafts: readonly Draft[], results: readonly Result[]): Error | undefined {
  const at = results.findIndex(({ success, errors }) => !success && errors[0]?.statusCode !== OTHERS_FAULT)
  if (at < 0) return undefined
  const { attributes, ...fields } = drafts[at]!
  const reported = results[at]!.errors.map(({ statusCode, message }) => `${statusCode}: ${message}`).join(
    '\n',
  )
  return new Error(`${reported}\nThe org refused this ${attributes.type}: ${JSON.stringify(fields)}`)
}

/** Writes records through the interface, and counts them. */
export class RecordWriter {
  readonly #org: ReachedOrg
  readonly #signal: AbortSignal
  readonly #written: (count: number) => void
  /** How many there are by now, by their objects. */
  readonly counts = new Map<string, number>()

  constructor(org: ReachedOrg, signal: AbortSignal, written: (count: number) => void) {
    this.#org = org
    this.#signal = signal
    this.#written = written
  }

  get total(): number {
    return this.counts.values().reduce((sum, count) => sum + count, 0)
  }

  /**
   * Writes records of one object, as many as a call takes at once.
   * @throws Error with the interface's message about the first one that is refused
   */
  async write<D extends Draft>(drafts: readonly D[]): Promise<Saved<D>[]> {
    const saved: Saved<D>[] = []
    for (let start = 0; start < drafts.length; start += MAX) {
      saved.push(...(await this.#writePart(drafts.slice(start, start + MAX))))
    }
    return saved
  }

  /**
   * Changes records, as many as a call takes at once.
   * @throws Error with the interface's message about the first one that is refused
   */
  async change(changes: readonly Changed[]): Promise<void> {
    for (let start = 0; start < changes.length; start += MAX) {
      await this.#send('PATCH', changes.slice(start, start + MAX))
    }
  }

  async #writePart<D extends Draft>(part: readonly D[]): Promise<Saved<D>[]> {
    const results = await this.#send('POST', part)
    const { type } = part[0]!.attributes
    this.counts.set(type, (this.counts.get(type) ?? 0) + part.length)
    this.#written(this.total)
    return part.map((draft, at) => ({ ...draft, Id: results[at]!.id! }))
  }

  async #send(method: 'POST' | 'PATCH', part: readonly Draft[]): Promise<readonly Result[]> {
    // The embedded engine works in this thread: without a pause no signal would ever be seen.
    await setImmediate()
    this.#signal.throwIfAborted()
    const sent = { allOrNone: true, records: part }
    const results = await readBody<Result[]>(this.#org.call(method, '/composite/sobjects', sent))
    const refused = refusal(part, results)
    if (refused !== undefined) throw refused
    return results
  }
}
