import type { FieldNode, GraphQLError } from 'graphql'

/** What kind of thing went wrong. (docs/reference/api/graphql.md#errors) */
export type ErrorType =
  | 'InvalidSyntax'
  | 'ValidationError'
  | 'DataFetchingException'
  | 'OperationNotSupported'
  | 'ExecutionAborted'

export type Path = readonly (string | number)[]

export interface Location {
  readonly line: number
  readonly column: number
}

/** An element of `errors`. Clients read the path under either name. (docs/reference/api/graphql.md#errors) */
export interface ErrorItem {
  readonly message: string
  readonly locations: readonly Location[]
  readonly paths: Path
  readonly path: Path
  readonly extensions: { readonly ErrorType: ErrorType }
}

export function errorItem(
  type: ErrorType,
  message: string,
  { path = [], locations = [] }: { readonly path?: Path; readonly locations?: readonly Location[] } = {},
): ErrorItem {
  return { message, locations, paths: path, path, extensions: { ErrorType: type } }
}

/** Why a document is not carried out at all. */
export class DocumentRefused extends Error {
  readonly errors: readonly ErrorItem[]

  constructor(errors: readonly ErrorItem[]) {
    super(errors[0]!.message)
    this.errors = errors
  }
}

/** One error that refuses the document. */
export const refused = (...error: Parameters<typeof errorItem>) => new DocumentRefused([errorItem(...error)])

export const findLocations = ({ locations = [] }: GraphQLError): readonly Location[] =>
  locations.map(({ line, column }) => ({ line, column }))

/** Where a field stands in its document. */
export const findLocation = ({ loc }: FieldNode): readonly Location[] =>
  loc === undefined ? [] : [{ line: loc.startToken.line, column: loc.startToken.column }]
