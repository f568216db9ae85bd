import type { Assistance } from '../../../../src/soql/assist/assistance.ts'
import { CallError, data, get } from '../../api/client.ts'

/* What the server knows of a text that is being typed: from its own parser, and of what the caller may see. */

/** The bound of the resource, in characters. */
const MAX_TEXT = 100_000

/** The last answer: who asks for completions is told of errors in the same call. */
let last: { readonly query: string; readonly answer: Assistance } | undefined

/** undefined: the server gives no help. The query can still be written and run, and running it says what is wrong. */
async function ask(body: { query: string; position?: number }, signal?: AbortSignal) {
  if (body.query.length > MAX_TEXT) return undefined
  try {
    const answer = await get<Assistance>(data('/query/assist'), { method: 'POST', body, signal })
    last = { query: body.query, answer }
    return answer
  } catch (error) {
    if (error instanceof CallError || signal?.aborted) return undefined
    throw error
  }
}

/** Asks what may stand at a place. */
export const askCompletions = async (query: string, position: number, signal?: AbortSignal) =>
  (await ask({ query, position }, signal))?.completions

/** Asks what is wrong. */
export const askErrors = async (query: string) =>
  (last?.query === query ? last.answer : await ask({ query }))?.errors ?? []
