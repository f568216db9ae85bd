import { setImmediate } from 'node:timers/promises'
import type { Reply } from '../../calls/reply.ts'
import type { QueryResult } from '../../soql/run-query.ts'
import type { ReachedOrg } from './reached-org.ts'

export type ResultRecord = QueryResult['records'][number]

/**
 * The body of a call that must succeed.
 * @throws Error with code and message of the interface, as they came
 */
export async function readBody<Body>(reply: Promise<Reply>): Promise<Body> {
  const { status, body } = await reply
  if (status < 300) return body as Body
  const items = body as readonly { readonly errorCode: string; readonly message: string }[]
  throw new Error(items.map(({ errorCode, message }) => `${errorCode}: ${message}`).join('\n'))
}

/** The pages of a result after one another. Only one is held at a time. */
export async function* recordPages(
  org: ReachedOrg,
  first: QueryResult,
  signal?: AbortSignal,
): AsyncGenerator<readonly ResultRecord[]> {
  let page = first
  yield page.records
  while (page.nextRecordsUrl !== undefined) {
    // The embedded engine works in this thread: without a pause no signal would ever be seen.
    await setImmediate()
    signal?.throwIfAborted()
    page = await readBody<QueryResult>(org.call('GET', page.nextRecordsUrl))
    yield page.records
  }
}

export const isResult = (value: unknown): value is QueryResult =>
  typeof value === 'object' && value !== null && 'records' in value && 'done' in value

/** A record whose child records are all there, those on pages of their own too. */
async function complete(org: ReachedOrg, record: ResultRecord): Promise<ResultRecord> {
  const whole = { ...record }
  for (const [name, value] of Object.entries(record)) {
    if (!isResult(value)) continue
    const records: ResultRecord[] = []
    for await (const page of recordPages(org, value)) {
      for (const child of page) records.push(await complete(org, child))
    }
    whole[name] = { totalSize: value.totalSize, done: true, records }
  }
  return whole
}

/** The same pages with all child records in them. */
export async function* completePages(
  org: ReachedOrg,
  pages: AsyncIterable<readonly ResultRecord[]>,
): AsyncGenerator<readonly ResultRecord[]> {
  for await (const page of pages) {
    const records: ResultRecord[] = []
    for (const record of page) records.push(await complete(org, record))
    yield records
  }
}
