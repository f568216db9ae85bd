import { ApiError } from '../base/api-error.ts'
import { Json, type JsonText } from '../base/json.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { isObject } from '../records/prepare/coerce.ts'
import { coerceVariables, type Variables } from './document/variables.ts'
import { findOperation, getDocument } from './document.ts'
import { getProgram } from './program.ts'
import { getOrgSchema } from './types/org-schema.ts'
import { DocumentRefused, type ErrorItem } from './values/graphql-error.ts'

/** The first API version with the endpoint. (docs/reference/api/graphql.md#endpoint) */
export const GRAPHQL_SINCE = 56

/** The body of a request. (docs/reference/api/graphql.md#endpoint) */
interface Request {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Variables
}

/** `data` as JSON beside the errors. (docs/reference/api/graphql.md#errors) */
const makeResponse = (data: JsonText, errors: readonly ErrorItem[]) =>
  new Json(['{"data":', data, `,"errors":${JSON.stringify(errors)}}`])

async function run(ctx: Context, { query, operationName, variables: given }: Request): Promise<Json> {
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

/** Errors of GraphQL are reported with status 200. (docs/reference/api/graphql.md#errors) */
const handleDocument: Handler<object> = async (ctx, call) => {
  const envelope = readEnvelope(call, ['query', 'operationName', 'variables', 'extensions'])
  const query = envelope.required('query', envelope.text('query'))
  const variables = envelope.value('variables') ?? {}
  if (!isObject(variables))
    throw new ApiError('JSON_PARSER_ERROR', 'The member "variables" has to be an object')
  const operationName = envelope.text('operationName')
  return { status: 200, body: await run(ctx, { query, operationName, variables }) }
}

/** Documents about records. (docs/reference/api/graphql.md#endpoint) */
export const graphqlRoutes = [route('POST', '/graphql', 'graphql', handleDocument, GRAPHQL_SINCE)]
