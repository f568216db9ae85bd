import { type Answer, CallError, send } from '../../api/client.ts'
import { addToHistory } from '../../api/history.ts'
import { makeTabStates } from '../../components/tabs/tab-states.ts'
import { failures, kindOf, readResults, type StepResult } from './composite.ts'
import { CALL_HISTORY, type CallDraft, readHeaders, type SentCall, withoutToken } from './sent-call.ts'

/* What the tabs have sent. */

interface Called {
  readonly isSending: boolean
  readonly answer?: Answer | undefined
  /** The outcome of each operation inside. */
  readonly results: readonly StepResult[]
  readonly error: Error | null
  /** The call that was sent last. */
  readonly sent?: string | undefined
}

const states = makeTabStates<Called>({ isSending: false, results: [], error: null })

export const useCalled = states.use
export const dropCalled = states.drop

/** Tells calls apart. */
export const keyOf = ({ method, path, body }: Omit<CallDraft, 'headers'>): string =>
  `${method} ${path} ${body}`

export const hasBody = (method: string): boolean => !['GET', 'HEAD'].includes(method)

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/** Sends the call of a tab, and keeps it in the history. */
export async function sendCall(id: string, { method, path, body, headers }: CallDraft): Promise<void> {
  const at = Date.now()
  const call = { method, path, body, headers: withoutToken(headers) }
  const sent = keyOf(call)
  const keep = (status: number, isFailed: boolean) =>
    void addToHistory<SentCall>(CALL_HISTORY, { ...call, at, status, isFailed, durationMs: Date.now() - at })
  states.set(id, { isSending: true, sent })
  try {
    if (!path.startsWith('/') || path.startsWith('//'))
      throw new Error('An address begins with one /, and stays at this server.')
    const answer = await send(path, {
      method,
      headers: readHeaders(headers),
      ...(body.trim() !== '' && hasBody(method) && { body }),
    })
    const results = readResults(kindOf(method, path), answer.body)
    keep(answer.status, failures(results) !== undefined)
    states.set(id, { isSending: false, answer, results, error: null })
  } catch (error) {
    keep(error instanceof CallError ? error.status : 0, true)
    states.set(id, { isSending: false, answer: undefined, results: [], error: asError(error) })
  }
}
