import type { TestOrg } from './org.ts'
import type { RealPort } from './real-port.ts'

/** An event of a stream: its id, and what it says; of an error only that. */
interface Streamed {
  readonly id: string | undefined
  readonly event: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  readonly data: any
}

/** Somebody who follows events line by line, as `curl -N` does. */
export interface EventStream {
  readonly status: number
  /** The next events; waits for as many. Fewer: the stream has ended. */
  take(count: number): Promise<readonly Streamed[]>
  close(): void
}

function parseEvent(text: string): Streamed | undefined {
  const lines = text.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line))
  const valueOf = (name: string) => lines.find((line) => line?.[1] === name)?.[2]
  const data = valueOf('data')
  return data === undefined
    ? undefined
    : { id: valueOf('id'), event: valueOf('event'), data: JSON.parse(data) }
}

/** @param query `channel=/data/AccountChangeEvent&replay=-2` */
export async function openEventStream(
  { address }: Pick<RealPort, 'address'>,
  { token }: Pick<TestOrg, 'token'>,
  query: string,
  lastEventId?: string,
): Promise<EventStream> {
  const controller = new AbortController()
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
  const url = `${address}/services/data/v64.0/event-stream?${query}`
  const response = await fetch(url, { headers, signal: controller.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const events: Streamed[] = []
  let rest = ''
  return {
    status: response.status,
    async take(count) {
      while (events.length < count) {
        const { done, value } = await reader.read()
        if (done) break
        const parts = (rest + value).split('\n\n')
        rest = parts.pop()!
        events.push(...parts.flatMap((part) => parseEvent(part) ?? []))
      }
      return events.splice(0, count)
    },
    close: () => controller.abort(),
  }
}
