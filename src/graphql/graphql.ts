import { ApiError } from '../base/api-error.ts'
import { isObject, Json, type JsonText } from '../base/json.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, route } from '../calls/route.ts'
import type { ErrorItem } from './values/graphql-error.ts'

/** `data` as JSON beside the errors. Either may be left out. */
function makeResponse(data: JsonText | undefined, errors: readonly ErrorItem[] | undefined): Json {
  const written = errors && `"errors":${JSON.stringify(errors)}`
  if (data === undefined) return new Json([`{${written}}`])
  return new Json(['{"data":', data, written === undefined ? '}' : `,${written}}`])
}

/** The first API version with the endpoint. (docs/reference/api/graphql.md#endpoint) */
export const GRAPHQL_SINCE = 56

/** The type in which a refused document is 400. (docs/reference/api/graphql.md#as-graphql-over-http-has-it) */
const GRAPHQL_TYPE = 'application/graphql-response+json'

/** The weight of a media type in an Accept header, by its exact name; undefined when it is not in it. */
function findWeight(accept: string, type: string): number | undefined {
  for (const part of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return undefined
}

/** True if a client wants an answer as GraphQL over HTTP has it, at least as much as JSON. */
function wantsGraphqlType(accept = ''): boolean {
  const weight = findWeight(accept, GRAPHQL_TYPE) ?? 0
  return weight > 0 && weight >= (findWeight(accept, 'application/json') ?? 0)
}

/** In the interface's own form, errors of GraphQL are reported with status 200. (docs/reference/api/graphql.md#errors) */
const handleDocument: Handler<object> = async (ctx, call) => {
  const envelope = readEnvelope(call, ['query', 'operationName', 'variables', 'extensions'])
  const query = envelope.required('query', envelope.text('query'))
  const variables = envelope.value('variables') ?? {}
  if (!isObject(variables))
    throw new ApiError('JSON_PARSER_ERROR', 'The member "variables" has to be an object')
  const operationName = envelope.text('operationName')
  // graphql-js takes memory that a server without documents saves.
  const { runDocument } = await import('./run-document.ts')
  const { data, errors } = await runDocument(ctx, { query, operationName, variables })
  if (!wantsGraphqlType(call.headers.accept)) {
    return { status: 200, body: makeResponse(data ?? '{}', errors) }
  }
  return {
    status: data === undefined ? 400 : 200,
    body: makeResponse(data, errors.length > 0 ? errors : undefined),
    headers: { 'Content-Type': `${GRAPHQL_TYPE};charset=UTF-8` },
  }
}

/** Documents about records. (docs/reference/api/graphql.md#endpoint) */
export const graphqlRoutes = [route('POST', '/graphql', 'graphql', handleDocument, GRAPHQL_SINCE)]
