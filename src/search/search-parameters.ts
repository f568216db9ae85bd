import { ApiError } from '../base/api-error.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import { parseCondition } from '../soql/parse/parse-condition.ts'
import { parseName } from '../soql/parse/parse-name.ts'
import { parseOrderItem } from '../soql/parse/parse-order.ts'
import { parseUnnamedItem } from '../soql/parse/parse-select-item.ts'
import { TokenStream } from '../soql/parse/token-stream.ts'
import { parseReturned } from './parse-search.ts'
import { parseWords } from './parse-words.ts'
import { FIELD_GROUPS, MAX_FOUND, type Returned, type Search } from './search.ts'
import { checkObjectCount, checkSearchLength, malformedSearch, withSearchErrors } from './search-error.ts'

/** The body of a parameterized search. Query parameters of a GET are converted to the same form. */
export interface SearchParameters {
  readonly q?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly sobjects?: readonly SearchedObject[] | undefined
  readonly in?: string | undefined
  readonly overallLimit?: number | undefined
  readonly defaultLimit?: number | undefined
  readonly metadata?: string | undefined
}

export interface SearchedObject {
  readonly name: string
  readonly fields?: readonly string[] | undefined
  readonly limit?: number | undefined
  readonly where?: string | undefined
  readonly orderBy?: string | undefined
}

/** Checks that a fragment of a query is complete and adds no other clause. */
function checkPiece(text: string, parse: (stream: TokenStream) => unknown): string {
  const stream = new TokenStream(text)
  parse(stream)
  if (stream.current.kind !== 'end') throw stream.unexpected()
  return text
}

/** The fields that are returned of an object. */
const listFields = (object: SearchedObject, { fields }: SearchParameters): readonly string[] =>
  object.fields ?? fields ?? ['Id']

/** Characters that the objects take in the text of a search, with the fields that they share written out for each. */
function countCharacters(sobjects: readonly SearchedObject[], parameters: SearchParameters): number {
  const lengths = new Map<readonly string[], number>()
  let length = 0
  for (const object of sobjects) {
    const fields = listFields(object, parameters)
    const known = getOrInsert(lengths, fields, () => fields.reduce((sum, field) => sum + field.length + 2, 0))
    length += known + object.name.length + (object.where?.length ?? 0) + (object.orderBy?.length ?? 0)
  }
  return length
}

function makeReturned(object: SearchedObject, parameters: SearchParameters): Returned {
  const name = checkPiece(object.name, parseName)
  const items = listFields(object, parameters).map((field) => checkPiece(field, parseUnnamedItem))
  const limit = object.limit ?? parameters.defaultLimit
  const clauses = [
    items.join(', '),
    object.where === undefined ? '' : ` WHERE ${checkPiece(object.where, parseCondition)}`,
    object.orderBy === undefined
      ? ''
      : ` ORDER BY ${checkPiece(object.orderBy, (stream) => stream.list(parseOrderItem))}`,
    limit === undefined ? '' : ` LIMIT ${limit}`,
  ]
  return parseReturned(new TokenStream(`${name}(${clauses.join('')})`))
}

function parseGroups(name: string | undefined): Search['groups'] {
  if (name === undefined) return undefined
  const known = Object.keys(FIELD_GROUPS).find((group) => group === name.toUpperCase())
  if (known === undefined) {
    const groups = Object.keys(FIELD_GROUPS).join(', ')
    throw new ApiError('ILLEGAL_QUERY_PARAMETER_VALUE', `in takes one of ${groups}, not ${name}`)
  }
  return FIELD_GROUPS[known]
}

/**
 * Makes the search of a parameterized request.
 * @throws ApiError MALFORMED_SEARCH, ILLEGAL_QUERY_PARAMETER_VALUE (docs/reference/api/search.md#search)
 */
export function makeSearch(parameters: SearchParameters): Search {
  const { q, sobjects, overallLimit = MAX_FOUND, metadata } = parameters
  if (q === undefined || q.trim() === '') throw malformedSearch('', 0, 'A search string has to be specified')
  checkObjectCount(sobjects?.length ?? 0)
  checkSearchLength(countCharacters(sobjects ?? [], parameters))
  return withSearchErrors(() => ({
    words: q.trim(),
    expression: parseWords(q),
    groups: parseGroups(parameters.in),
    returning: sobjects?.map((object) => makeReturned(object, parameters)),
    limit: Math.min(overallLimit, MAX_FOUND),
    labels: metadata?.toUpperCase() === 'LABELS',
  }))
}
