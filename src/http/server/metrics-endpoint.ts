import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerToken, isSameSecret } from '../../auth/oauth/token-text.ts'
import { isLoopbackAddress } from '../../base/loopback.ts'

/** The metrics of this server in the format of Prometheus. */
export interface Exposition {
  readonly contentType: string
  text(): Promise<string>
}

/** Headers that proxies set. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

function isThisMachine({ raw: { socket }, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress
  if (address === undefined || !isLoopbackAddress(address)) return false
  return PROXY_HEADERS.every((name) => headers[name] === undefined)
}

const hasToken = ({ headers }: FastifyRequest, token: string) =>
  isSameSecret(bearerToken(headers.authorization) ?? '', token)

/**
 * Serves `/metrics`. Others than those who may read it get 404.
 * @param token that grants access; undefined: requests from this machine itself have access
 */
export function routeMetrics(server: FastifyInstance, metrics: Exposition, token: string | undefined): void {
  server.get('/metrics', { config: { endpoint: 'metrics' } }, async (request, response) => {
    const isAllowed = token === undefined ? isThisMachine(request) : hasToken(request, token)
    if (!isAllowed) {
      response.callNotFound()
      return response
    }
    return response
      .headers({ 'Cache-Control': 'no-store', 'Content-Type': metrics.contentType })
      .send(await metrics.text())
  })
}
