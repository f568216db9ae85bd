import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Observe } from './base/observation.ts'

/** Observations as log lines. What a client sent never gets into one. */
export function observeInto(log: Logger): Observe {
  return (observation) => {
    switch (observation.kind) {
      case 'operation':
        log.debug(observation, 'operation')
        return
      case 'failure':
        log.error({ errorId: observation.errorId, err: observation.error }, 'failure')
        return
      case 'notice':
        log.info(observation.message)
    }
  }
}

/** One line per request: method, path without the query, status, time. No headers, no bodies. */
export function logRequests(server: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('info')) return
  server.addHook('onResponse', (request, response, done) => {
    const url = request.raw.url ?? ''
    const mark = url.indexOf('?')
    log.info(
      {
        method: request.method,
        path: (mark < 0 ? url : url.slice(0, mark)).slice(0, 500),
        status: response.statusCode,
        milliseconds: Math.round(response.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}
