import { ApiError } from '../../base/api-error.ts'
import { JsonSyntaxError, parseJson } from '../../base/json-text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws ApiError JSON_PARSER_ERROR */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ApiError('JSON_PARSER_ERROR', 'The request body is not UTF-8 text')
  }
}

/**
 * The JSON of a body; undefined where it is blank.
 * @throws ApiError JSON_PARSER_ERROR
 */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ApiError('JSON_PARSER_ERROR', error.message)
    throw error
  }
}
