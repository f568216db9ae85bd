import type { FastifyInstance } from 'fastify'
import { destination, type Logger, pino } from 'pino'
import type { Observe } from './base/observation.ts'

/** Log lines as JSON on standard output, written in batches: a slow reader does not slow the calls down. */
export function openLog(level: string): Logger {
  if (level === 'silent') return pino({ level })
  const output = destination({ fd: 1, sync: false, minLength: 4096 })
  setInterval(() => output.flush(), 1000).unref()
  return pino({ level }, output)
}

/** What is told of a failure: never the values of a statement, which drivers hang on their errors. */
function failureOf(error: unknown) {
  if (!(error instanceof Error)) return { failure: String(error) }
  const { code } = error as NodeJS.ErrnoException
  return { failure: error.message, code, stack: error.stack }
}

/** Observations as log lines. What a client sent never gets into one. */
export function observeInto(log: Logger): Observe {
  return (observation) => {
    switch (observation.kind) {
      case 'call':
      case 'operation':
        log.debug(observation, observation.kind)
        return
      case 'failure':
        log.error({ errorId: observation.errorId, ...failureOf(observation.error) }, 'failure')
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
