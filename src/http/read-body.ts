import { ApiError } from '../base/api-error.ts'
import { JsonSyntaxError, NotUtf8, type ReadJson, readJsonBytes } from '../base/json-text.ts'
import type { Visit } from './visit.ts'

/**
 * The JSON of a body that was received and unpacked; undefined: it is blank.
 * @throws ApiError JSON_PARSER_ERROR
 */
export async function readBody({ bytes, running }: Visit): Promise<ReadJson | undefined> {
  try {
    return await readJsonBytes(bytes, running)
  } catch (error) {
    const isTheirs = error instanceof JsonSyntaxError || error instanceof NotUtf8
    throw isTheirs ? new ApiError('JSON_PARSER_ERROR', error.message) : error
  }
}
