import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Observe } from '../../base/observation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint group of a route that has no pipeline. */
    endpoint?: 'page' | 'console' | 'docs' | 'health' | 'metrics'
  }
}

/** Longer paths are truncated in the log. */
const MAX_PATH_CHARACTERS = 500

/** The endpoint group of a request, and the pattern of what it asks for. */
interface Location {
  readonly endpoint: string
  readonly route: string
}

/** Where a pipeline knows it, Fastify is not asked, which takes longer. */
export function getLocation(request: FastifyRequest): Location {
  const { facts } = request
  if (facts !== undefined) return { endpoint: facts.endpoint, route: facts.route ?? 'unknown' }
  const { config, url } = request.routeOptions
  return { endpoint: config.endpoint ?? 'none', route: url ?? 'unknown' }
}

/** Reports every request once it is answered. Requests that a server injects before it listens are not reported. */
export function reportRequests(server: FastifyInstance, observe: Observe): void {
  let isOpen = false
  server.addHook('onListen', (done) => {
    isOpen = true
    done()
  })
  server.addHook('onResponse', (request, response, done) => {
    if (!isOpen) return done()
    const url = request.facts?.shownPath ?? request.raw.url ?? ''
    const mark = url.indexOf('?')
    observe({
      kind: 'request',
      id: request.id,
      method: request.method,
      path: (mark < 0 ? url : url.slice(0, mark)).slice(0, MAX_PATH_CHARACTERS),
      ...getLocation(request),
      status: response.statusCode,
      milliseconds: response.elapsedTime,
      statements: request.facts?.running?.statements ?? 0,
    })
    done()
  })
}
