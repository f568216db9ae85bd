import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopbackAddress } from '../base/loopback.ts'
import { bearerToken } from './bearer-token.ts'

/** What this server counts, as Prometheus reads it. */
export interface Exposition {
  readonly contentType: string
  text(): Promise<string>
}

/** What somebody sets who passes on the requests of others. */
const PASSED_ON = [
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
  return PASSED_ON.every((name) => headers[name] === undefined)
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const hasToken = ({ headers }: FastifyRequest, token: string) =>
  timingSafeEqual(digest(bearerToken(headers.authorization) ?? ''), digest(token))

/**
 * Lets the metrics be read. To whoever may not there is nothing.
 * @param token of those who may; undefined: this machine itself may
 */
export function routeMetrics(server: FastifyInstance, metrics: Exposition, token: string | undefined): void {
  server.get('/metrics', { config: { door: 'metrics' } }, async (request, response) => {
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
