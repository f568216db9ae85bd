import { ApiError } from '../../base/api-error.ts'
import type { Config } from '../../config/config.ts'
import type { HttpContext, Routed } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'

const XML_TYPES = ['application/xml', 'text/xml']

/** The more exact ones first. */
const JSON_TYPES = ['application/json', 'application/*', '*/*']

/** Bulk jobs have CSV and files their own types: their clients ask for these with any header. */
const HAS_OTHER_TYPES = /^\/(?:jobs|sobjects\/:object\/:id)\//

/** How much a client wants each type of the header; one that comes without a number is wanted most. */
function parseAccept(header: string): ReadonlyMap<string, number> {
  const entries = header.split(',').map((part): [string, number] => {
    const [type, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = Number(parameters.find((text) => text.startsWith('q='))?.slice('q='.length) ?? 1)
    return [type!, Number.isNaN(quality) ? 1 : quality]
  })
  return new Map(entries)
}

/**
 * Refuses a client that would rather have XML, which it cannot mean to read as JSON. (docs/reference/api/records.md#bodies)
 * @throws ApiError NOT_ACCEPTABLE
 */
export const checkAccept =
  ({ config }: { readonly config: Pick<Config, 'lenient'> }): Middleware<HttpContext & Routed> =>
  ({ request, facts }) => {
    const { accept } = request.headers
    if (config.lenient || accept === undefined || !/xml/i.test(accept)) return undefined
    if (HAS_OTHER_TYPES.test(facts.route ?? '')) return undefined
    const wanted = parseAccept(accept)
    const xml = Math.max(...XML_TYPES.map((type) => wanted.get(type) ?? 0))
    const json = wanted.get(JSON_TYPES.find((type) => wanted.has(type)) ?? '') ?? 0
    if (xml <= json) return undefined
    throw new ApiError('NOT_ACCEPTABLE', 'The answer is JSON only. Send Accept: application/json.')
  }
