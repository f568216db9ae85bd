import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { OAuthError } from '../../auth/oauth/oauth-error.ts'
import type { ApiError } from '../../base/api-error.ts'
import { retryHeaders } from '../../calls/reply.ts'
import type { Config } from '../../config/config.ts'
import { FORM } from '../body/form-parameters.ts'
import { formBodies, receiveBody } from '../body/receive-body.ts'
import { cutConnection } from '../middleware/fault-injection.ts'
import {
  type AddressSettings,
  getMaxUriLength,
  makeFacts,
  makeHttpContext,
} from '../pipeline/http-context.ts'
import { checkSameSite } from './check-form.ts'
import { makePageContext, type Page, type PageReply } from './page-context.ts'
import { makeRefusalReply, PageRefusal } from './page-refusal.ts'
import { sendPage } from './send-page.ts'

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

function checkTransport({ method, raw, headers }: FastifyRequest, config: AddressSettings): void {
  const max = getMaxUriLength(config)
  if ((raw.url ?? '').length > max) {
    throw new PageRefusal(414, 'The address is too long', `It may have ${max} characters.`)
  }
  if (method === 'GET' || method === 'HEAD') return
  if (method !== 'POST') {
    const headers = { Allow: 'GET, HEAD, POST' }
    throw new PageRefusal(405, 'Not possible here', 'A page is read, or a form is sent.', { headers })
  }
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  if (!FORM.test(headers['content-type'] ?? '') || !isPlain) {
    throw new PageRefusal(415, 'This is no form', 'Forms are sent as application/x-www-form-urlencoded.')
  }
}

interface PageRouteServices {
  readonly config: AddressSettings & Pick<Config, 'bodyLimit'>
  /** Returns the error that a client sees. */
  readonly toApiError: (thrown: FastifyError) => ApiError
}

/** Adds the pages to a listener. They share no middleware with the endpoints for programs: no token, no JSON. */
export function routePages(
  server: FastifyInstance,
  { config, toApiError }: PageRouteServices,
  pages: readonly Page[],
): void {
  const receiveForm = receiveBody(formBodies(config))

  /** Shows failures before or in a handler as a page. */
  const makeErrorReply = (thrown: FastifyError | PageRefusal | OAuthError): PageReply => {
    if (thrown instanceof PageRefusal) return makeRefusalReply(thrown)
    // The access of the user or the app ended while the form was on its way.
    if (thrown instanceof OAuthError)
      return makeRefusalReply(
        new PageRefusal(403, 'That did not work', thrown.description, { code: thrown.error }),
      )
    const error = toApiError(thrown)
    const { status, message } = error
    const heading = status < 500 ? 'That did not work' : 'Something went wrong'
    return makeRefusalReply(new PageRefusal(status, heading, message, { headers: retryHeaders(error) }))
  }

  for (const { url, get, post, takesForeignForms } of pages) {
    server.route({
      method: METHODS,
      url,
      config: { endpoint: 'page' },
      errorHandler: async (error: FastifyError, _request: FastifyRequest, response: FastifyReply) => {
        await sendPage(response, makeErrorReply(error))
      },
      handler: async (request, response) => {
        checkTransport(request, config)
        const httpContext = makeHttpContext(config, request, response, makeFacts('page', url))
        await receiveForm(httpContext)
        const context = makePageContext(config, httpContext)
        const isForm = request.method === 'POST'
        if (isForm && takesForeignForms !== true) checkSameSite(config, context)
        const reply = await (isForm ? post : get)(context)
        if (reply.isCut === true) {
          cutConnection(httpContext)
          return response
        }
        // The values of a form may stand in the next address, where it is encoded once more.
        if ((reply.location?.length ?? 0) > getMaxUriLength(config))
          throw new PageRefusal(414, 'That did not work', 'What was sent is too long.')
        await sendPage(response, reply)
        return response
      },
    })
  }
}
