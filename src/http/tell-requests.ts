import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Observe } from '../base/observation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The way in. */
    door?: 'page' | 'health' | 'metrics'
  }
}

/** Longer paths are cut off in the log. */
const MOST_CHARACTERS = 500

interface Place {
  readonly door: string
  readonly route: string
}

/** The way in, and what is asked for there. Where a door knows it, Fastify is not asked, which takes longer. */
export function placeOf(request: FastifyRequest): Place {
  const { visit } = request
  if (visit?.door !== undefined) return { door: visit.door, route: visit.route ?? 'unknown' }
  const { config, url } = request.routeOptions
  return { door: config.door ?? 'none', route: url ?? 'unknown' }
}

/** Tells of every request once it is answered. What a server asks itself before it listens is nobody's request. */
export function tellRequests(server: FastifyInstance, observe: Observe): void {
  let isOpen = false
  server.addHook('onListen', (done) => {
    isOpen = true
    done()
  })
  server.addHook('onResponse', (request, response, done) => {
    if (!isOpen) return done()
    const url = request.raw.url ?? ''
    const mark = url.indexOf('?')
    observe({
      kind: 'request',
      id: request.id,
      method: request.method,
      path: (mark < 0 ? url : url.slice(0, mark)).slice(0, MOST_CHARACTERS),
      ...placeOf(request),
      status: response.statusCode,
      milliseconds: response.elapsedTime,
      statements: request.visit?.running?.statements ?? 0,
    })
    done()
  })
}
