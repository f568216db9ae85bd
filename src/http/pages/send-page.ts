import type { FastifyReply } from 'fastify'
import { STYLE_HASH } from '../../auth/pages/style.ts'
import type { PageReply } from './page-context.ts'

/** Nothing is loaded, run or framed; forms lead to this server, and on from there to one callback at most. */
const makePolicy = (formSource: string | undefined) =>
  [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'`,
    `form-action 'self'${formSource === undefined ? '' : ` ${formSource}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/**
 * Writes a page. It is never compressed: its length would show how similar its secrets are to text that others can put into it.
 */
export async function sendPage(response: FastifyReply, reply: PageReply): Promise<void> {
  response
    .code(reply.status)
    .headers({
      'Content-Security-Policy': makePolicy(reply.formSource),
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    })
    .headers(reply.headers ?? {})
  if (reply.cookies !== undefined && reply.cookies.length > 0) response.header('Set-Cookie', reply.cookies)
  if (reply.location !== undefined) response.header('Location', reply.location)
  if (reply.html === undefined) await response.send()
  else await response.header('Content-Type', 'text/html; charset=utf-8').send(reply.html.text)
}
