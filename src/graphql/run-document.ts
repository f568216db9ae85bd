import { Json, type JsonText } from '../base/json.ts'
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

/** `data` as JSON beside the errors. (docs/reference/api/graphql.md#errors) */
const makeResponse = (data: JsonText, errors: readonly ErrorItem[]) =>
  new Json(['{"data":', data, `,"errors":${JSON.stringify(errors)}}`])

/** Runs a document; its errors are in the answer. */
export async function runDocument(
  ctx: Context,
  { query, operationName, variables: given }: DocumentRequest,
): Promise<Json> {
  const schema = getOrgSchema(ctx.visible, ctx.version)
  try {
    const document = getDocument(schema, query)
    const operation = findOperation(document, operationName)
    const variables = coerceVariables(schema, operation, given)
    const program = getProgram(schema, document, operation, variables)
    const errors: ErrorItem[] = []
    return makeResponse(await program({ ctx, variables, errors, written: false }), errors)
  } catch (error) {
    if (error instanceof DocumentRefused) return makeResponse('{}', error.errors)
    throw error
  }
}
