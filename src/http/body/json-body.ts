import { ApiError } from '../../base/api-error.ts'
import { JsonSyntaxError } from '../../base/json-reader.ts'
import { NotUtf8, type ReadJson, readJsonBytes } from '../../base/json-text.ts'
import type { HttpContext, Started } from '../pipeline/http-context.ts'

/**
 * The JSON of a body that was received and unpacked; undefined where it is blank.
 * @throws ApiError JSON_PARSER_ERROR
 */
export async function readJsonBody({
  bytes,
  running,
}: HttpContext & Partial<Started>): Promise<ReadJson | undefined> {
  try {
    return await readJsonBytes(bytes, running)
  } catch (error) {
    const isOfBody = error instanceof JsonSyntaxError || error instanceof NotUtf8
    throw isOfBody ? new ApiError('JSON_PARSER_ERROR', error.message) : error
  }
}
