import { setTimeout as wait } from 'node:timers/promises'
import type { Terminal } from '../command/terminal.ts'
import type { Opened } from '../reach/let-in.ts'
import { readEventStream, StreamRefused, type Wanted } from './read-event-stream.ts'

/** Waits between attempts to come back, in milliseconds: each is twice as long as the one before. */
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 30_000

/** Refusals that do not go away with time. */
const FINAL: ReadonlySet<string> = new Set([
  'ILLEGAL_QUERY_PARAMETER_VALUE',
  'INSUFFICIENT_ACCESS',
  'MISSING_ARGUMENT',
  'NOT_FOUND',
])

const isExpiry = (error: unknown) =>
  error instanceof StreamRefused && error.errorCode === 'INVALID_SESSION_ID'

/** An event as the stream has it. */
export interface ReceivedEvent {
  readonly position: number
  /** JSON of `{channel, data}`. */
  readonly text: string
}

/** Returns the reason of a failed request without a full stop: what is behind "fetch failed". */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
  return reason.replace(/\.$/, '')
}

/** True if the deliveries of the org are used up, which may last for a day. */
const isLimit = (error: unknown) =>
  error instanceof StreamRefused && error.errorCode === 'REQUEST_LIMIT_EXCEEDED'

/** Follows channels, and goes on after the last position when the connection is lost. The first connection has to succeed. */
export async function* followEvents(
  terminal: Terminal,
  open: () => Promise<Opened>,
  wanted: Wanted,
  signal: AbortSignal,
): AsyncGenerator<ReceivedEvent> {
  let { after } = wanted
  let server = await open()
  let isConnected = false
  let isRenewed = false
  let waitMs = FIRST_WAIT_MS
  for (;;) {
    let failure: unknown = new Error('it ended the stream')
    let isFirst = true
    try {
      for await (const { id, event, data } of readEventStream(server, { ...wanted, after }, signal)) {
        isConnected = true
        after = id ?? after
        if (event === 'end') return
        if (event === 'error') {
          const { errorCode, message } = JSON.parse(data!)
          throw new StreamRefused(errorCode, message)
        }
        isRenewed = false
        // The first item says that the server answers, and nothing of what comes after it.
        if (!isFirst || data !== undefined) waitMs = FIRST_WAIT_MS
        isFirst = false
        if (data !== undefined) yield { position: Number(id), text: data }
      }
    } catch (error) {
      failure = error
    }
    signal.throwIfAborted()
    if (failure instanceof StreamRefused && (!isConnected || FINAL.has(failure.errorCode))) throw failure
    if (!isConnected) throw new Error(`The server at ${server.address} does not answer: ${reasonOf(failure)}`)
    if (isLimit(failure) && !wanted.follow)
      throw new Error(`${reasonOf(failure)}. Go on with --from ${after}`)
    // The server answers and only refuses the token. Requesting one from a server that is gone could open its data folder.
    if (isExpiry(failure) && !isRenewed) {
      server = await open()
      isRenewed = true
      continue
    }
    if (isExpiry(failure)) throw failure
    terminal.stderr.write(
      `Lost the stream of ${server.address}: ${reasonOf(failure)}. Going on after ${after} in ${waitMs / 1000} s\n`,
    )
    await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)
  }
}
