import { call, data } from '../../api/client.ts'
import type { Row } from './columns.ts'

export type QueryLanguage = 'soql' | 'sosl' | 'graphql'

interface Step {
  readonly path: string
  readonly durationMs: number
  readonly rows: number
  readonly bytes: number
}

/** The rows and facts that a query has given so far. */
export interface Result {
  readonly language: QueryLanguage
  readonly text: string
  readonly rows: readonly Row[]
  /** As the server counts. */
  readonly totalSize: number
  readonly next: string | undefined
  readonly steps: readonly Step[]
  readonly readAt: number
  /** The answer as it is, of GraphQL. */
  readonly answer?: unknown
  readonly isPartial?: boolean
}

interface Page {
  readonly totalSize: number
  readonly nextRecordsUrl?: string
  readonly records: readonly Row[]
}

export interface Asked {
  readonly language: QueryLanguage
  readonly text: string
  readonly variables: string
  /** Deleted records too. */
  readonly isAll: boolean
}

async function runSoql({ text, isAll }: Asked, signal: AbortSignal): Promise<Result> {
  const path = data(`/${isAll ? 'queryAll' : 'query'}?${new URLSearchParams({ q: text })}`)
  const { body, durationMs, bytes } = await call<Page>(path, { signal })
  return {
    language: 'soql',
    text,
    rows: body.records,
    totalSize: body.totalSize,
    next: body.nextRecordsUrl,
    steps: [{ path, durationMs, rows: body.records.length, bytes }],
    readAt: Date.now(),
  }
}

async function runSosl({ text }: Asked, signal: AbortSignal): Promise<Result> {
  const path = data(`/search?${new URLSearchParams({ q: text })}`)
  const { body, durationMs, bytes } = await call<{ searchRecords: readonly Row[] }>(path, { signal })
  const rows = body.searchRecords.map((row) => ({
    Type: (row.attributes as { type?: string })?.type,
    ...row,
  }))
  return {
    language: 'sosl',
    text,
    rows,
    totalSize: rows.length,
    next: undefined,
    steps: [{ path, durationMs, rows: rows.length, bytes }],
    readAt: Date.now(),
  }
}

/** A node of a connection: `{ Name: { value: 'Acme' } }` is a row with a name. */
function rowOfNode(node: Row): Row {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (typeof value !== 'object' || value === null) return [key, value]
      if ('value' in value) return [key, (value as { value: unknown }).value]
      const records = rowsOfConnection(value)
      if (records !== undefined) return [key, { totalSize: records.length, done: true, records }]
      return [key, { attributes: {}, ...rowOfNode(value as Row) }]
    }),
  )
}

function rowsOfConnection(value: unknown): Row[] | undefined {
  const edges = (value as { edges?: readonly { node: Row }[] } | null)?.edges
  return Array.isArray(edges) ? edges.map(({ node }) => rowOfNode(node)) : undefined
}

/** The rows of the first connection of an answer. */
function firstRows(answer: unknown): Row[] {
  if (typeof answer !== 'object' || answer === null) return []
  const rows = rowsOfConnection(answer)
  if (rows !== undefined) return rows
  for (const value of Object.values(answer)) {
    const found = firstRows(value)
    if (found.length > 0) return found
  }
  return []
}

async function runGraphql({ text, variables }: Asked, signal: AbortSignal): Promise<Result> {
  const path = data('/graphql')
  const body = { query: text, ...(variables.trim() !== '' && { variables: JSON.parse(variables) }) }
  const answer = await call<{ data?: unknown; errors?: readonly unknown[] }>(path, {
    method: 'POST',
    body,
    signal,
  })
  const rows = firstRows(answer.body.data)
  return {
    language: 'graphql',
    text,
    rows,
    totalSize: rows.length,
    next: undefined,
    steps: [{ path, durationMs: answer.durationMs, rows: rows.length, bytes: answer.bytes }],
    readAt: Date.now(),
    answer: answer.body,
    isPartial: (answer.body.errors?.length ?? 0) > 0,
  }
}

export function run(asked: Asked, signal: AbortSignal): Promise<Result> {
  if (asked.language === 'sosl') return runSosl(asked, signal)
  return asked.language === 'graphql' ? runGraphql(asked, signal) : runSoql(asked, signal)
}

/** The result with its next page. */
export async function readNext(result: Result, signal: AbortSignal): Promise<Result> {
  if (result.next === undefined) return result
  const { body, durationMs, bytes } = await call<Page>(result.next, { signal })
  return {
    ...result,
    rows: [...result.rows, ...body.records],
    next: body.nextRecordsUrl,
    steps: [...result.steps, { path: result.next, durationMs, rows: body.records.length, bytes }],
    readAt: Date.now(),
  }
}
