import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { placeOf } from './tell-requests.ts'

/**
 * What a handler runs for. It is emptied when the handler is done: what a request leaves behind, such as a connection to
 * the database, keeps this and would keep the request.
 */
interface Handling {
  request: FastifyRequest | undefined
}

const handlings = new AsyncLocalStorage<Handling>()

/** From here on `currentRequest` knows the requests of this server. To be called before it gets its routes. */
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
  return request && { method: request.method, route: placeOf(request).route }
}
