import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** What others may call a request: nothing that would look like something else in a log. */
const ID = /^[A-Za-z0-9._-]{1,64}$/

/** Of this process. The rest of an id is a number: made at every request, it has to cost nothing. */
const PREFIX = randomUUID().slice(0, 8)

let made = 0

/** The id of a request in log and reply: the one that it came with, so that a caller finds his own call again. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && ID.test(given) ? given : `${PREFIX}-${(made++).toString(36)}`
}

/** Every reply has the id, whatever door gives it. */
export function replyWithId(server: FastifyInstance): void {
  server.addHook('onRequest', (request, response, done) => {
    response.header('X-Request-Id', request.id)
    done()
  })
}
