import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../../calls/reply.ts'
import type { ImportResult } from '../../orgs/imports/pack-results.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import type { Batch } from './cut-batches.ts'
import type { RowResult } from './results-file.ts'
import { type ErrorItem, namePlace, type SourceRow } from './source-row.ts'

/** How batches are written. */
export interface Sending {
  readonly job: string
  readonly operation: string
  readonly key: string | undefined
  /** How many are under way at once. */
  readonly parallel: number
  /** The record of a row as it is sent, at the moment when it is. */
  readonly fill: <T>(record: T) => T
}

/** A batch that is written, with what became of its rows. */
export interface WrittenBatch {
  readonly batch: Batch
  readonly rows: readonly RowResult[]
}

/** A batch may always be sent again, so what passes by itself is waited for, in milliseconds. */
const PAUSES = [100, 300, 1000, 3000]
const PASSES = ['UNABLE_TO_LOCK_ROW', 'SERVER_UNAVAILABLE']

const passes = ({ status, body }: Reply) =>
  status >= 400 && PASSES.includes((body as readonly { readonly errorCode: string }[])[0]!.errorCode)

async function callWithRetries(org: ReachedOrg, path: string, body: object): Promise<Reply> {
  for (const pause of PAUSES) {
    const reply = await org.call('PUT', path, body)
    if (!passes(reply)) return reply
    await sleep(pause * (0.5 + Math.random()))
  }
  return org.call('PUT', path, body)
}

/** The result with the places in the user's file of values that are of the wrong type. */
function locate({ row, columns }: SourceRow, result: ImportResult): ImportResult {
  const errors = (result.errors as readonly ErrorItem[]).map((error) => {
    const column = columns?.get(error.fields[0]!)
    const isOfValue = error.statusCode === 'INVALID_TYPE_ON_FIELD_IN_RECORD' && column !== undefined
    return isOfValue ? { ...error, message: `${namePlace(row, column)}: ${error.message}` } : error
  })
  return { ...result, errors }
}

async function sendBatch(
  org: ReachedOrg,
  batch: Batch,
  { job, operation, key, fill }: Sending,
): Promise<WrittenBatch> {
  const { number, object, rows } = batch
  const sound = rows.filter(({ fault }) => fault === undefined)
  const body = {
    operation: rows[0]!.link === undefined ? operation : 'update',
    ...{ object, key, records: sound.map(({ record }) => fill(record)) },
  }
  const path = `/setup/orgs/current/imports/${job}/batches/${number}`
  const { results } =
    sound.length === 0
      ? { results: [] }
      : await readBody<{ results: ImportResult[] }>(callWithRetries(org, path, body))
  let at = 0
  return {
    batch,
    rows: rows.map((row) => ({
      row,
      result: row.fault === undefined ? locate(row, results[at++]!) : { success: false, errors: [row.fault] },
    })),
  }
}

/**
 * Sends batches, several at once, and gives them back in their order. When one cannot be written, or the signal says
 * stop, no further one is sent and those under way are waited for.
 */
export async function* sendBatches(
  org: ReachedOrg,
  batches: AsyncIterable<Batch>,
  sending: Sending,
  signal: AbortSignal,
): AsyncGenerator<WrittenBatch> {
  const underWay: Promise<WrittenBatch>[] = []
  let failure: { readonly error: unknown } | undefined
  const source = batches[Symbol.asyncIterator]()
  const next = () =>
    source.next().catch((error) => {
      failure = { error }
      return { done: true, value: undefined } as const
    })
  try {
    for (let step = await next(); !step.done && !signal.aborted; step = await next()) {
      const sent = sendBatch(org, step.value, sending)
      // Whoever waits for it sees that it failed; until then nobody needs to.
      sent.catch(() => {})
      underWay.push(sent)
      if (underWay.length >= sending.parallel) yield await underWay.shift()!
      // The embedded engine works in this thread: without a pause no signal would ever be seen.
      await setImmediate()
    }
    while (underWay.length > 0) yield await underWay.shift()!
  } finally {
    await Promise.allSettled(underWay)
    await source.return?.()
  }
  if (failure !== undefined) throw failure.error
}
