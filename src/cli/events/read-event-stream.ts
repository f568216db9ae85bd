import { UsageError } from '../command/exit-codes.ts'
import type { Opened } from '../reach/let-in.ts'

/** The newest version that the server has. */
const STREAM = '/services/data/latest/event-stream'

/** Time that a server has to begin its answer, in milliseconds. */
const BEGIN_MS = 15_000
/** Silence after which a server is taken for gone: it sends something every 15 seconds. */
const SILENCE_MS = 45_000

/** Where a stream begins, and whether it goes on. */
export interface Wanted {
  readonly channels: readonly string[]
  /** A position, -1 or -2. */
  readonly after: string
  /** False: it ends with what is kept. */
  readonly follow: boolean
}

/** An item of a stream; without data it tells the position alone. */
export interface StreamItem {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string | undefined
}

/** The server refused; the same request will be refused again. */
export class StreamRefused extends Error {
  readonly errorCode: string

  constructor(errorCode: string, message: string) {
    super(`${errorCode}: ${message}`)
    this.errorCode = errorCode
  }
}

async function refuse(response: Response): Promise<never> {
  const text = await response.text()
  if (response.status >= 500 || response.status === 429) throw new Error(`it answers ${response.status}`)
  try {
    const [{ errorCode, message }] = JSON.parse(text)
    throw new StreamRefused(errorCode, message)
  } catch (error) {
    if (error instanceof StreamRefused) throw error
    throw new UsageError(`This is no server of Objectry: it answers ${response.status}`)
  }
}

function parseItem(text: string): StreamItem {
  const lines = text.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line))
  const textOf = (name: string) => lines.find((line) => line?.[1] === name)?.[2]
  return { id: textOf('id'), event: textOf('event'), data: textOf('data') }
}

/**
 * Reads an event stream until it ends.
 * @param signal stops it
 * @throws StreamRefused
 * @throws Error when the connection is lost
 */
export async function* readEventStream(
  { address, token }: Pick<Opened, 'address' | 'token'>,
  { channels, after, follow }: Wanted,
  signal: AbortSignal,
): AsyncGenerator<StreamItem> {
  const query = new URLSearchParams({ replay: after })
  for (const channel of channels) query.append('channel', channel)
  if (!follow) query.set('follow', 'false')
  const over = new AbortController()
  const isSilent = () => over.abort(new Error('it has said nothing for a while'))
  let timer = setTimeout(isSilent, BEGIN_MS)
  try {
    const response = await fetch(`${address}${STREAM}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, over.signal]),
    })
    if (response.status !== 200) return await refuse(response)
    const reader = response.body!.getReader()
    const decoder = new TextDecoder()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      const texts = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = texts.pop()!
      for (const text of texts) yield parseItem(text)
      timer = setTimeout(isSilent, SILENCE_MS)
    }
  } finally {
    clearTimeout(timer)
    // Ends the connection of whoever has seen enough.
    over.abort()
  }
}
