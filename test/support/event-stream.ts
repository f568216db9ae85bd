import { afterFile } from './after-file.ts'
import type { TestOrg } from './org.ts'

/** An event of a stream: its id, and what it says; of an error only that. */
export interface Streamed {
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
  const textOf = (name: string) => lines.find((line) => line?.[1] === name)?.[2]
  const data = textOf('data')
  return data === undefined ? undefined : { id: textOf('id'), event: textOf('event'), data: JSON.parse(data) }
}

/** The address of the org's server, which listens from now on, until the test file ends. */
async function listen({ server, services }: TestOrg): Promise<string> {
  const [at] = server.addresses()
  if (typeof at === 'object') return `http://127.0.0.1:${at.port}`
  afterFile(async () => {
    await services.feed.close()
    await server.close()
  })
  return server.listen({ host: '127.0.0.1', port: 0 })
}

/** @param query `channel=/data/AccountChangeEvent&replay=-2` */
export async function openEventStream(o: TestOrg, query: string, lastEventId?: string): Promise<EventStream> {
  const address = await listen(o)
  const controller = new AbortController()
  const headers: Record<string, string> = { authorization: `Bearer ${o.token}` }
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
