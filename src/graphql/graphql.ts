import { ApiError } from '../base/api-error.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, route } from '../calls/route.ts'
import { isObject } from '../records/prepare/coerce.ts'

/** The first API version with the endpoint. (docs/reference/api/graphql.md#endpoint) */
export const GRAPHQL_SINCE = 56

/** Errors of GraphQL are reported with status 200. (docs/reference/api/graphql.md#errors) */
const handleDocument: Handler<object> = async (ctx, call) => {
  const envelope = readEnvelope(call, ['query', 'operationName', 'variables', 'extensions'])
  const query = envelope.required('query', envelope.text('query'))
  const variables = envelope.value('variables') ?? {}
  if (!isObject(variables))
    throw new ApiError('JSON_PARSER_ERROR', 'The member "variables" has to be an object')
  const operationName = envelope.text('operationName')
  // graphql-js takes memory that a server without documents saves.
  const { runDocument } = await import('./run-document.ts')
  return { status: 200, body: await runDocument(ctx, { query, operationName, variables }) }
}

/** Documents about records. (docs/reference/api/graphql.md#endpoint) */
export const graphqlRoutes = [route('POST', '/graphql', 'graphql', handleDocument, GRAPHQL_SINCE)]
