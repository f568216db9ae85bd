import type { JsonText } from '../base/json.ts'
import type { Context } from '../context.ts'
import { coerceVariables, type Variables } from './document/variables.ts'
import { findOperation, getDocument } from './document.ts'
import { getProgram } from './program.ts'
import { getOrgSchema } from './types/org-schema.ts'
import { DocumentRefused, type ErrorItem } from './values/graphql-error.ts'

/** The body of a request. (docs/reference/api/graphql.md#endpoint) */
export interface DocumentRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Variables
}

/** Result of a document. */
export interface DocumentResult {
  /** Undefined if the document was refused and nothing was done. */
  readonly data: JsonText | undefined
  readonly errors: readonly ErrorItem[]
}

/** Runs a document; its errors are in the result. */
export async function runDocument(
  ctx: Context,
  { query, operationName, variables: given }: DocumentRequest,
): Promise<DocumentResult> {
  const schema = getOrgSchema(ctx.visible, ctx.version)
  try {
    const document = getDocument(schema, query)
    const operation = findOperation(document, operationName)
    const variables = coerceVariables(schema, operation, given)
    const program = getProgram(schema, document, operation, variables)
    const errors: ErrorItem[] = []
    return { data: await program({ ctx, variables, errors, written: false }), errors }
  } catch (error) {
    if (error instanceof DocumentRefused) return { data: undefined, errors: error.errors }
    throw error
  }
}
