import { serverTooBusy } from '../../base/api-error.ts'
import type { Reply } from '../../calls/reply.ts'
import type { Context } from '../../context.ts'
import type { RateCounter } from '../../quota/rate-counter.ts'
import { isSigned } from '../resources/verify-signature.ts'
import type { Webhook } from '../resources/webhook.ts'
import type { DeliveryLog, Incoming } from './delivery-log.ts'

/** Maximum time to store a delivery while the sender waits. (docs/reference/api/custom-resources.md#acceptance) */
const STORE_TIMEOUT_MS = 5000

const refused = (status: number, error: string, headers?: Reply['headers']): Reply => ({
  status,
  body: { error },
  headers,
})

/** @throws ApiError on timeout. The work may still complete, and the sender will send the delivery again */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = setTimeout(() => reject(serverTooBusy()), STORE_TIMEOUT_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(late)
  }
}

/**
 * Accepts a delivery: 401 without storing it when its signature is wrong, 200 when it is stored durably, whatever the
 * result of processing. The body is not parsed before. `now` is the machine's time, which senders sign by too.
 * (docs/reference/api/custom-resources.md#signatures, docs/reference/api/custom-resources.md#acceptance)
 */
export async function acceptDelivery(
  deliveries: DeliveryLog,
  rates: RateCounter,
  ctx: Context,
  { scheme, secrets, perSecond }: Webhook,
  incoming: Incoming,
  now: Date,
): Promise<Reply> {
  const { bytes, headers, receiver } = incoming
  if (!isSigned(scheme, secrets, { bytes, headers, now })) {
    return refused(401, 'The signature is absent, malformed or not that of the body')
  }
  if (perSecond !== undefined && !rates.admit(`${ctx.org.id} ${receiver}`, perSecond, now)) {
    return refused(429, `More than ${perSecond} deliveries in a second`, { 'Retry-After': '1' })
  }
  const id = await inTime(deliveries.add(ctx, incoming))
  return { status: 200, body: { id } }
}
