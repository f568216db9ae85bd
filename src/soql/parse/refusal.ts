import { ApiError } from '../../base/api-error.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { positioned } from './source-position.ts'

/**
 * A refusal that points at its place in the query. (docs/reference/api/queries.md#positions)
 * @param text of the query; empty: it has none, the plan was asked for in another way
 */
export function refusal(code: ErrorCode, text: string, at: number, explanation: string): ApiError {
  return new ApiError(code, text === '' ? explanation : positioned(text, at, explanation))
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

/** For a field that stands in no condition. */
export const notFilterable = (text: string, at: number, name: string): ApiError =>
  refusal('INVALID_FIELD', text, at, `field '${name}' can not be filtered in a query call`)
