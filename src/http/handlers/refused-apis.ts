import type { Reply } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import type { HttpContext } from '../pipeline/http-context.ts'
import type { RequestHandler } from '../pipeline/pipeline.ts'

type Versions = Pick<Config, 'versions'>

const newestPath = ({ versions }: Versions) => `/services/data/v${versions.at(-1)}.0`

const xmlReply = (body: string): Reply => ({
  status: 400,
  body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  headers: { 'Content-Type': 'application/xml; charset=UTF-8' },
})

const wantsJson = ({ request: { headers } }: HttpContext) =>
  [headers.accept, headers['content-type']].some((type) => /\bapplication\/json\b/i.test(type ?? ''))

/** The first version of the bulk API is refused in its own format, with what to use instead. (docs/reference/api/bulk-jobs.md#other-apis) */
export const refuseFirstBulk =
  ({ config }: { readonly config: Versions }): RequestHandler<HttpContext> =>
  (context) => {
    const exceptionCode = 'FeatureNotEnabled'
    const exceptionMessage = `Bulk API 1 is not available here. Use Bulk API 2.0 at ${newestPath(config)}/jobs (jsforce: bulk2 or bulkApiVersion 2).`
    if (wantsJson(context)) return { status: 400, body: { exceptionCode, exceptionMessage } }
    return xmlReply(
      `<error xmlns="http://www.force.com/2009/06/asyncapi/dataload"><exceptionCode>${exceptionCode}</exceptionCode><exceptionMessage>${exceptionMessage}</exceptionMessage></error>`,
    )
  }
