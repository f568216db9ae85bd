import type { FieldNode, GraphQLError } from 'graphql'

/** The type of an error. (docs/reference/api/graphql.md#errors) */
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

export function makeErrorItem(
  type: ErrorType,
  message: string,
  { path = [], locations = [] }: { readonly path?: Path; readonly locations?: readonly Location[] } = {},
): ErrorItem {
  return { message, locations, paths: path, path, extensions: { ErrorType: type } }
}

/** The errors of a document that is not executed. */
export class DocumentRefused extends Error {
  readonly errors: readonly ErrorItem[]

  constructor(errors: readonly ErrorItem[]) {
    super(errors[0]!.message)
    this.errors = errors
  }
}

/** Rejects the document with one error. */
export const documentError = (...error: Parameters<typeof makeErrorItem>) =>
  new DocumentRefused([makeErrorItem(...error)])

export const findLocations = ({ locations = [] }: GraphQLError): readonly Location[] =>
  locations.map(({ line, column }) => ({ line, column }))

/** The location of a field in its document. */
export const findLocation = ({ loc }: FieldNode): readonly Location[] =>
  loc === undefined ? [] : [{ line: loc.startToken.line, column: loc.startToken.column }]
