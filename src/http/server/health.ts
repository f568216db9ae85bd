import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Readiness } from '../../storage/database/db.ts'

/**
 * Finds whether the server can take calls, and says why in a few words if it cannot.
 * @param org whose calls it shall take, by id or name; undefined: those of any
 */
type CheckReadiness = (org: string | undefined) => Promise<Readiness | 'draining' | 'starting'>

const METHODS = ['GET', 'HEAD']

const send = (response: FastifyReply, code: number, status: string) =>
  response.code(code).header('Cache-Control', 'no-store').send({ status })

/**
 * `/healthz`: the process lives and its event loop turns; a failure means that it should be restarted. `/readyz`: it can
 * take calls; a failure means that calls should go to another server for now. `/readyz?org=Acme`: it can take those of one org.
 */
export function routeHealth(server: FastifyInstance, checkReadiness: CheckReadiness): void {
  const options = { config: { endpoint: 'health' } } as const
  server.route({
    ...options,
    method: METHODS,
    url: '/healthz',
    handler: (_request, response) => send(response, 200, 'ok'),
  })
  server.route({
    ...options,
    method: METHODS,
    url: '/readyz',
    handler: async ({ query }, response) => {
      const { org } = query as { readonly org?: string | readonly string[] }
      const readiness = await checkReadiness(typeof org === 'string' ? org : undefined)
      return send(response, readiness === 'ready' ? 200 : 503, readiness)
    },
  })
}
