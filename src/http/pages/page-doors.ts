import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { AUTHORIZE_PATH } from '../../auth/authorize-request.ts'
import type { ApiError } from '../../base/api-error.ts'
import { receiveBody } from '../receive-body.ts'
import { type House, MAX_URI_LENGTH, makeVisit } from '../visit.ts'
import { answerAuthorize, askAuthorize } from './authorize.ts'
import { changePassword, showChangePassword } from './change-password.ts'
import { checkSameSite } from './check-form.ts'
import { answerDevice, showDeviceEntry } from './connect-device.ts'
import { logIn, showLogin } from './login.ts'
import { logOut, showLogout } from './logout.ts'
import { PageRefusal, refusalReply } from './page-refusal.ts'
import { openPageVisit, type PageHandler, type PageReply } from './page-visit.ts'
import { sendPage } from './send-page.ts'

/** A door for people: what a browser gets, and what becomes of the form that it sends. */
interface PageDoor {
  readonly url: string
  readonly get: PageHandler
  readonly post: PageHandler
  /** A form may come from another site too; the handler looks which. */
  readonly takesForeignForms?: boolean
}

/** All pages. They share nothing with the stages of the doors for programs: no token, no JSON. */
const DOORS: readonly PageDoor[] = [
  { url: '/login', get: showLogin, post: logIn },
  { url: '/logout', get: showLogout, post: logOut },
  { url: '/change-password', get: showChangePassword, post: changePassword },
  { url: AUTHORIZE_PATH, get: askAuthorize, post: answerAuthorize, takesForeignForms: true },
  { url: '/setup/connect', get: showDeviceEntry, post: answerDevice },
]

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;.*)?$/i

function checkTransport({ method, raw, headers }: FastifyRequest): void {
  if ((raw.url ?? '').length > MAX_URI_LENGTH) {
    throw new PageRefusal(414, 'The address is too long', `It may have ${MAX_URI_LENGTH} characters.`)
  }
  if (method === 'GET' || method === 'HEAD') return
  if (method !== 'POST') {
    const headers = { Allow: 'GET, HEAD, POST' }
    throw new PageRefusal(405, 'Not possible here', 'A page is read, or a form is sent.', { headers })
  }
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  if (!FORM_TYPE.test(headers['content-type'] ?? '') || !isPlain) {
    throw new PageRefusal(415, 'This is no form', 'Forms are sent as application/x-www-form-urlencoded.')
  }
}

/** What failed before or in a handler, as a page. */
function replyTo(thrown: FastifyError | PageRefusal, toError: (thrown: FastifyError) => ApiError): PageReply {
  if (thrown instanceof PageRefusal) return refusalReply(thrown)
  const { status, message } = toError(thrown)
  const heading = status < 500 ? 'That did not work' : 'Something went wrong'
  return refusalReply(new PageRefusal(status, heading, message))
}

/** @param toError what a client may know of anything that was thrown */
export function routePages(
  server: FastifyInstance,
  house: House,
  toError: (thrown: FastifyError, house: House) => ApiError,
): void {
  for (const { url, get, post, takesForeignForms } of DOORS) {
    server.route({
      method: METHODS,
      url,
      config: { door: 'page' },
      errorHandler: async (error: FastifyError, _request: FastifyRequest, response: FastifyReply) => {
        await sendPage(
          response,
          replyTo(error, (thrown) => toError(thrown, house)),
        )
      },
      handler: async (request, response) => {
        checkTransport(request)
        const whole = makeVisit(house, request, response)
        whole.door = 'page'
        await receiveBody(whole)
        const visit = openPageVisit(whole)
        const isForm = request.method === 'POST'
        if (isForm && takesForeignForms !== true) checkSameSite(visit)
        await sendPage(response, await (isForm ? post : get)(visit))
        return response
      },
    })
  }
}
