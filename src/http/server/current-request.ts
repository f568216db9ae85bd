import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getLocation } from './report-requests.ts'

/**
 * The request that a handler runs for. It is cleared when the handler is done: resources that outlive a request, such as
 * connections to the database, keep a reference to this and would keep the request alive.
 */
interface Handling {
  request: FastifyRequest | undefined
}

const handlings = new AsyncLocalStorage<Handling>()

/** Has `currentRequest` know the requests of this server. To be called before it gets its routes. */
export function trackRequests(server: FastifyInstance): void {
  server.addHook('onRoute', (options) => {
    const { handler } = options
    options.handler = async function handle(request, response) {
      const handling: Handling = { request }
      try {
        return await handlings.run(handling, () => handler.call(this, request, response))
      } finally {
        handling.request = undefined
      }
    }
  })
}

/** The request that is being handled where this is called; undefined: none. */
export function currentRequest(): { readonly method: string; readonly route: string } | undefined {
  const request = handlings.getStore()?.request
  return request && { method: request.method, route: getLocation(request).route }
}
