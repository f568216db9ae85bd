import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Ids that clients may choose: nothing that would look like something else in a log. */
const ID = /^[A-Za-z0-9._-]{1,64}$/

/** Of this process. The rest of an id is a number, because one is made for every request. */
const PREFIX = randomUUID().slice(0, 8)

let count = 0

/** The id of a request in log and reply: the one that it came with, so that clients find their own calls again. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && ID.test(given) ? given : `${PREFIX}-${(count++).toString(36)}`
}

/** Every reply has the id, whatever endpoint gives it. */
export function replyWithId(server: FastifyInstance): void {
  server.addHook('onRequest', (request, response, done) => {
    response.header('X-Request-Id', request.id)
    done()
  })
}
