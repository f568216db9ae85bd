import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { type Diagnostic, linter } from '@codemirror/lint'
import { CallError, data, get } from '../../api/client.ts'

/* Errors and completions of a query, from the server's own parser and what the caller may see. */

type Kind = 'object' | 'field' | 'relationship' | 'child' | 'function' | 'keyword' | 'dateLiteral' | 'value'

interface Assistance {
  readonly errors: readonly {
    readonly message: string
    readonly errorCode: string
    readonly start: number
    readonly end: number
  }[]
  readonly completions?: {
    readonly start: number
    readonly end: number
    readonly items: readonly {
      readonly label: string
      readonly kind: Kind
      readonly detail?: string
      readonly insert: string
    }[]
  }
}

const ICONS: Readonly<Record<Kind, string>> = {
  object: 'class',
  field: 'property',
  relationship: 'namespace',
  child: 'interface',
  function: 'function',
  keyword: 'keyword',
  dateLiteral: 'constant',
  value: 'text',
}

/** The bound of the resource, in characters. */
const MAX_TEXT = 100_000

async function ask(
  query: string,
  position: number | undefined,
  signal?: AbortSignal,
): Promise<Assistance | undefined> {
  if (query.length > MAX_TEXT) return undefined
  try {
    return await get<Assistance>(data('/query/assist'), {
      method: 'POST',
      body: { query, ...(position !== undefined && { position }) },
      signal,
    })
  } catch (error) {
    // Without help the query can still be written and run; what is wrong then, running it says.
    if (error instanceof CallError || signal?.aborted) return undefined
    throw error
  }
}

const KIND_ORDER: Readonly<Partial<Record<Kind, number>>> = {
  value: 3,
  field: 2,
  relationship: 1,
  keyword: -1,
}

export async function completeQuery(context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && context.matchBefore(/[\w.]+|\s/) === null) return null
  const abort = new AbortController()
  context.addEventListener('abort', () => abort.abort(), { onDocChange: true })
  const found = await ask(context.state.doc.toString(), context.pos, abort.signal)
  if (found?.completions === undefined || context.aborted) return null
  const { start, end, items } = found.completions
  return {
    from: start,
    to: end,
    validFor: /^\w*$/,
    options: items.map(
      ({ label, kind, detail, insert }): Completion => ({
        label,
        type: ICONS[kind],
        apply: insert,
        boost: KIND_ORDER[kind] ?? 0,
        ...(detail !== undefined && { detail }),
      }),
    ),
  }
}

export const queryErrors = linter(
  async (view) => {
    const text = view.state.doc.toString()
    if (text.trim() === '') return []
    const found = await ask(text, undefined)
    const length = view.state.doc.length
    return (found?.errors ?? []).map(
      ({ message, start, end }): Diagnostic => ({
        from: Math.min(start, length),
        to: Math.min(Math.max(end, start), length),
        severity: 'error',
        message,
      }),
    )
  },
  { delay: 500 },
)
