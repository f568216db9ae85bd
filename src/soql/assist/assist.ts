import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { analyzeQuery } from '../analyze/analyze.ts'
import { parseQuery } from '../parse/parser.ts'
import { findPlace } from '../parse/query-error.ts'
import type { Token } from '../parse/token.ts'
import type { Assistance, QueryProblem } from './assistance.ts'
import { complete } from './complete.ts'
import { readTokens } from './read-tokens.ts'

/** Why the text is no query, with its place; the excerpt that errors of a query carry is left out. */
function findProblem(
  text: string,
  tokens: readonly Token[],
  schema: SchemaSnapshot,
  version: ApiVersion,
): QueryProblem[] {
  try {
    analyzeQuery(parseQuery(text), schema, version)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const place = findPlace(error)
    const start = Math.min(place ?? 0, text.length)
    const token = tokens.find(({ at }) => at === start)
    const end = place === undefined ? text.length : (token?.end ?? Math.min(start + 1, text.length))
    const message = error.message.split('\n').at(-1)!
    return [{ message, errorCode: error.code, start, end }]
  }
}

/**
 * Problems and completions of a text that is being typed. Nothing is run. (docs/reference/api/queries.md#help-for-editors)
 * @param schema what the caller can see
 * @param position undefined: no completions are wanted
 */
export function assistQuery(
  text: string,
  schema: SchemaSnapshot,
  version: ApiVersion,
  position?: number,
): Assistance {
  const tokens = readTokens(text)
  const errors = text.trim() === '' ? [] : findProblem(text, tokens, schema, version)
  return position === undefined ? { errors } : { errors, completions: complete(tokens, schema, position) }
}
