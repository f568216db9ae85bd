import { ApiError } from '../../base/api-error.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { addPosition } from './source-position.ts'

/** Where errors are in the text of a query: the offsets of what they are about. */
const places = new WeakMap<ApiError, number>()

/** Notes where in the text of a query an error is. */
export function placeError(error: ApiError, at: number): ApiError {
  places.set(error, at)
  return error
}

/** Undefined: the error is about the query as a whole. */
export const findPlace = (error: ApiError): number | undefined => places.get(error)

/**
 * An error that points at its position in the query. (docs/reference/api/queries.md#positions)
 * @param text of the query; empty where there is none: GraphQL makes plans without one
 */
export function queryError(code: ErrorCode, text: string, at: number, explanation: string): ApiError {
  return placeError(new ApiError(code, text === '' ? explanation : addPosition(text, at, explanation)), at)
}

const customName = (suffix: string, kind: string) =>
  `If you are attempting to use a custom ${kind}, be sure to append the '${suffix}' after the ${kind === 'object' ? 'entity' : `custom ${kind}`} name. Please reference your WSDL or the describe call for the appropriate names.`

/** Texts that clients match on. (docs/reference/api/queries.md#positions) */
export const explanations = {
  noSuchObject: (name: string) => `sObject type '${name}' is not supported. ${customName('__c', 'object')}`,
  noSuchColumn: (name: string, object: string) =>
    `No such column '${name}' on entity '${object}'. ${customName('__c', 'field')}`,
  noSuchChildren: (name: string) =>
    `Didn't understand relationship '${name}' in FROM part of query call. ${customName('__r', 'relationship')}`,
  noSuchRelationship: (name: string) =>
    `Didn't understand relationship '${name}' in field path. ${customName('__r', 'relationship')}`,
}

/** For a field that may not be used in a condition. */
export const notFilterableError = (text: string, at: number, name: string): ApiError =>
  queryError('INVALID_FIELD', text, at, `field '${name}' can not be filtered in a query call`)

/** An error without a position. */
export const malformedQuery = (explanation: string): ApiError => new ApiError('MALFORMED_QUERY', explanation)
